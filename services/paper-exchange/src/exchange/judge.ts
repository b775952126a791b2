import type { Refusal } from '../domain/filter.ts'
import { isReducing } from '../domain/margin.ts'
import { type EndReason, type Order, remaining } from '../domain/order.ts'
import type { Plan } from '../domain/plan.ts'
import type { Entry } from '../store/ledger.ts'
import { beyondMeans } from './affordable.ts'
import { reducible } from './fill.ts'
import { ordersOfMarket } from './market-orders.ts'
import { planFor } from './plan.ts'
import type { Floor } from './run.ts'

/** The verdict on an order that reaches the book: its whole quantity and what it takes, or why it ends at once. */
export type Verdict =
  | Readonly<{ refusal: Refusal }>
  | Readonly<{ quantity: bigint; plan: Plan<Entry>; ends?: EndReason }>

const NOTHING: Plan<Entry> = { matches: [], left: 0n }

/** Judges an order that stands before the book. Nothing is changed. */
export function judge(floor: Floor, entry: Entry, order: Order): Verdict {
  const orders = ordersOfMarket(floor.markets, order.market)
  const reduces = orders.market.kind === 'linear' && isReducing(order)
  const left = reduces ? reducible(entry.account, order) : remaining(order)
  if (reduces && left === 0n) return { refusal: 'reduceOnlyRefused' }
  const plan = planFor(floor, entry, order, left)
  const taken = takenBy(plan)
  const quantity = order.quoteQuantity === undefined ? order.filled + left : taken
  const failed = failedTerms(order, plan, taken)
  if (failed) return 'refusal' in failed ? failed : { quantity, plan: NOTHING, ...failed }
  const refusal = beyondMeans(floor, entry, order, {
    matches: plan.matches,
    rests: rests(order) ? plan.left : 0n,
  })
  return refusal ? { refusal } : { quantity, plan }
}

/** Whether what an order does not take stays in the book. */
export function rests({ type, timeInForce }: Pick<Order, 'type' | 'timeInForce'>): boolean {
  return type === 'limit' && (timeInForce === 'gtc' || timeInForce === 'postOnly')
}

/** The quantity a plan takes from others. */
export function takenBy({ matches }: Plan<Entry>): bigint {
  return matches.reduce((sum, { isOwn, quantity }) => (isOwn ? sum : sum + quantity), 0n)
}

// Binance refuses what Bybit, OKX and Binance spot take and end at once.
function failedTerms(
  { type, timeInForce, market }: Order,
  { matches, left }: Plan<Entry>,
  taken: bigint,
): { refusal: Refusal } | { ends: EndReason } | undefined {
  if (type === 'market') return undefined
  if (timeInForce === 'postOnly' && matches.length > 0) {
    return /^(bybit|okx)/.test(market) ? { ends: 'timeInForce' } : { refusal: 'wouldTake' }
  }
  if (timeInForce === 'fok' && (left > 0n || taken === 0n)) {
    return market.startsWith('binance-futures') ? { refusal: 'notFillable' } : { ends: 'timeInForce' }
  }
  return undefined
}
