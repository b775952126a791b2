import { balanceOf } from '../domain/account.ts'
import { lockOf } from '../domain/lock.ts'
import { marketOf } from '../domain/market.ts'
import { isOpen } from '../domain/order.ts'
import { type Entry, lockedOf, openOrdersOf } from '../store/ledger.ts'
import { end } from './end.ts'
import type { Run } from './run.ts'

/** Ends spot orders that had locked what has been lost since; the newest go first. */
export function endUncovered(run: Run, entry: Entry, asset: string): void {
  if (lockedOf(entry, asset) === 0n) return
  const there = balanceOf(entry.account, asset) - isolatedOf(entry, asset)
  for (const { id } of openOrdersOf(entry).reverse()) {
    if (lockedOf(entry, asset) <= there) return
    const order = entry.orders.get(id)
    if (order && isOpen(order) && lockOf(order)?.asset === asset) end(run, entry, order, 'margin')
  }
}

function isolatedOf(entry: Entry, asset: string): bigint {
  let sum = 0n
  for (const { market, margin } of entry.account.positions.values()) {
    if (marketOf(market).quote === asset) sum += margin
  }
  return sum
}
