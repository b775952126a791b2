import { balanceOf, openAccount, type Position, positionKey } from '../domain/account.ts'
import { marketOf } from '../domain/market.ts'
import { isOpen } from '../domain/order.ts'
import { type Entry, openOrdersOf } from '../store/ledger.ts'
import { end } from './end.ts'
import { putAccount, type Run, setHolder, touch } from './run.ts'

/** Ends all orders, hands all positions to the house as they are, and gives the account these balances. */
export function reset(run: Run, entry: Entry, balances: ReadonlyMap<string, bigint>): void {
  for (const { id } of openOrdersOf(entry)) {
    const order = entry.orders.get(id)
    if (order && isOpen(order)) end(run, entry, order, 'reset')
  }
  for (const position of entry.account.positions.values()) handOver(run, entry, position)
  for (const asset of new Set([...entry.account.balances.keys(), ...balances.keys()])) {
    touch(run, entry, 'reset', asset)
  }
  const { settings } = entry.account
  putAccount(run, entry, { ...openAccount(balances, run.now), settings })
  const touched = run.touched.get(entry)
  if (touched) touched.reason = 'reset'
}

// The house takes quantity and cost alike, so that nothing is won or lost by it.
function handOver(run: Run, entry: Entry, { market, quantity, cost }: Position): void {
  const { house } = run.floor.ledger
  const key = positionKey(market, 'net')
  const held = house.account.positions.get(key)
  const blank = {
    market,
    side: 'net',
    marginMode: 'cross',
    carried: 0n,
    margin: 0n,
    openedAt: run.now,
  } as const
  const sum = { quantity: (held?.quantity ?? 0n) + quantity, cost: (held?.cost ?? 0n) + cost }
  const position: Position = { ...blank, ...held, ...sum, updatedAt: run.now }
  const positions = new Map(house.account.positions)
  const balances = new Map(house.account.balances)
  // Positions that cancel out may have cost differently, which is won or lost here.
  const { quote } = marketOf(market)
  if (position.quantity === 0n) balances.set(quote, balanceOf(house.account, quote) - position.cost)
  if (position.quantity === 0n) positions.delete(key)
  else positions.set(key, position)
  putAccount(run, house, { ...house.account, positions, balances, updatedAt: run.now })
  setHolder(run.floor, entry, market, false)
}
