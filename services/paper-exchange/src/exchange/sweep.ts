import { smaller } from '../domain/fixed.ts'
import { bestPrice, queueAt } from '../domain/ladder.ts'
import type { Market } from '../domain/market.ts'
import { opposite, remaining, type Side } from '../domain/order.ts'
import { isWithin } from '../domain/plan.ts'
import type { Level } from '../domain/quote.ts'
import type { Entry } from '../store/ledger.ts'
import type { QuotesChange } from '../store/quotes.ts'
import { awakenAll } from './awaken.ts'
import { end } from './end.ts'
import { bookFill, bookHouse, executable } from './fill.ts'
import { liquidateHolders } from './liquidate.ts'
import { ordersOfMarket } from './market-orders.ts'
import { putQuotes, type Run } from './run.ts'
import { tidy } from './tidy.ts'

/** Moves prices: fills what they run through, wakes what they reach, closes what they ruin. */
export function moveQuotes(run: Run, change: QuotesChange): void {
  const moved = putQuotes(run, change)
  for (const market of moved) {
    fillThrough(run, market, 'buy')
    fillThrough(run, market, 'sell')
    awakenAll(run, market)
    tidy(run)
  }
  liquidateHolders(run, moved)
}

// The depth a move brings fills what it runs through, best price first, each at its own price; a big order may be
// left with a rest, which waits for the next move.
function fillThrough(run: Run, market: Market, side: Side): void {
  const ladder = ordersOfMarket(run.floor.markets, market.id).book[side]
  const house = run.floor.board.house(market.id)
  const levels = side === 'buy' ? house.asks : house.bids
  let used = 0n
  for (;;) {
    const price = bestPrice(ladder)
    const best = levels[0]
    if (price === undefined || !best || !isWithin(side, best.price, price)) return
    const [first] = queueAt(ladder, price)
    const brought = broughtTo(levels, side, price) - used
    if (!first || brought <= 0n) return
    const filled = fillOne(run, market, first, brought)
    if (filled === undefined) continue
    used += filled
  }
}

function broughtTo(levels: readonly Level[], side: Side, price: bigint): bigint {
  let sum = 0n
  for (const level of levels) if (isWithin(side, level.price, price)) sum += level.quantity
  return sum
}

function fillOne(
  run: Run,
  market: Market,
  [id, entry]: readonly [number, Entry],
  brought: bigint,
): bigint | undefined {
  const order = entry.orders.get(id)
  if (!order) return undefined
  const can = executable(entry, order, order.price)
  if (can === 0n) {
    end(run, entry, order, market.kind === 'linear' ? 'reduceOnly' : 'margin')
    return undefined
  }
  const quantity = smaller(brought, can)
  const after = bookFill(run, entry, order, { price: order.price, quantity, maker: true })
  bookHouse(run, market, order.side, quantity, order.price)
  const taken = {
    price: order.price,
    quantity,
    takerSide: opposite(order.side),
    id: run.floor.ledger.lastFillId,
  }
  run.events.push({ kind: 'trade', market, ...taken, at: run.now })
  // An order that could reduce less than it asks for has a rest with nothing to wait for.
  if (can < remaining(order) && quantity === can) end(run, entry, after, 'reduceOnly')
  return quantity
}
