import { balanceOf, credited, type Position, positionIn } from '../domain/account.ts'
import { absolute, larger, smaller } from '../domain/fixed.ts'
import { accountMargin, positionRisk } from '../domain/margin.ts'
import { type Market, marketOf, valueAtMark } from '../domain/market.ts'
import { isOpen, type Order, type OrderRequest } from '../domain/order.ts'
import { type Entry, openOrdersOf } from '../store/ledger.ts'
import { end } from './end.ts'
import { planFor } from './plan.ts'
import { newOrder, putAccount, putVersion, type Run, touch } from './run.ts'
import { take } from './take.ts'
import { tidy } from './tidy.ts'

const FEE_PARTS = 1_000_000n

/** Closes what the moved markets' prices no longer let their holders keep. */
export function liquidateHolders(run: Run, moved: readonly Market[]): void {
  const holders = new Set<Entry>()
  for (const { id } of moved) for (const entry of run.floor.holders.get(id) ?? []) holders.add(entry)
  holders.delete(run.floor.ledger.house)
  // The first one moves the book for the next one.
  for (const entry of [...holders].toSorted((a, b) => a.turn - b.turn)) {
    liquidateIsolated(run, entry)
    liquidateCross(run, entry)
  }
}

function liquidateIsolated(run: Run, entry: Entry): void {
  for (const position of [...entry.account.positions.values()]) {
    if (position.marginMode !== 'isolated') continue
    const market = marketOf(position.market)
    const risk = positionRisk(entry.account, market, position, run.floor.board.of(market.id))
    if (position.margin + risk.unrealized >= risk.maintenance) continue
    cancelAll(run, entry, (order) => order.market === position.market)
    // Only what was set aside can be lost.
    const floor = balanceOf(entry.account, market.quote) - position.margin
    close(run, entry, position)
    coverLoss(run, entry, market, position, larger(0n, floor))
  }
}

function liquidateCross(run: Run, entry: Entry): void {
  for (const asset of crossAssets(entry)) {
    const margin = accountMargin(entry.account, openOrdersOf(entry), run.floor.board.of, asset)
    const equity = margin.wallet - margin.isolated + margin.crossUnrealized
    if (equity >= margin.crossMaintenance) continue
    cancelAll(
      run,
      entry,
      ({ market }) => marketOf(market).kind === 'linear' && marketOf(market).quote === asset,
    )
    const positions = crossPositions(entry, asset)
    for (const position of positions) close(run, entry, position)
    for (const position of positions)
      coverLoss(run, entry, marketOf(position.market), position, larger(0n, margin.isolated))
    run.poorer.push({ entry, asset })
    tidy(run)
  }
}

function crossAssets(entry: Entry): Set<string> {
  const assets = new Set<string>()
  for (const { market, marginMode } of entry.account.positions.values())
    if (marginMode === 'cross') assets.add(marketOf(market).quote)
  return assets
}

function crossPositions(entry: Entry, asset: string): Position[] {
  return [...entry.account.positions.values()].filter(
    ({ market, marginMode }) => marginMode === 'cross' && marketOf(market).quote === asset,
  )
}

function cancelAll(run: Run, entry: Entry, which: (order: Order) => boolean): void {
  for (const { id } of openOrdersOf(entry)) {
    const order = entry.orders.get(id)
    if (order && isOpen(order) && which(order)) end(run, entry, order, 'liquidation')
  }
}

// Closes the position at the book, in as many orders as its depth takes; without any depth the next move goes on.
function close(run: Run, entry: Entry, { market: id, side }: Position): void {
  const market = marketOf(id)
  for (;;) {
    const held = positionIn(entry.account, id, side)
    if (held.quantity === 0n) break
    const order = putVersion(run, entry, newOrder(run, closing(held)))
    const done = take(run, entry, order, planFor(run.floor, entry, order, order.quantity))
    if (done.filled === 0n) break
  }
  touch(run, entry, 'liquidation', market.quote, market.id)
  tidy(run)
}

// The fee for having to be closed goes to the house, as far as there is anything left; what is missing it pays.
function coverLoss(run: Run, entry: Entry, market: Market, position: Position, floor: bigint): void {
  const asset = market.quote
  const mark = run.floor.board.of(market.id).mark
  const asked = (absolute(valueAtMark(market, position.quantity, mark)) * market.liquidationFee) / FEE_PARTS
  const above = balanceOf(entry.account, asset) - floor
  const paid = above > 0n ? smaller(above, asked) : above
  const { house } = run.floor.ledger
  putAccount(run, entry, credited(entry.account, asset, -paid, run.now))
  putAccount(run, house, credited(house.account, asset, paid, run.now))
}

function closing({ market, side, quantity }: Position): OrderRequest {
  return {
    market,
    clientOrderId: '',
    side: quantity > 0n ? 'sell' : 'buy',
    type: 'market',
    timeInForce: 'ioc',
    quantity: absolute(quantity),
    price: 0n,
    reduceOnly: true,
    positionSide: side,
    origin: 'liquidation',
  }
}
