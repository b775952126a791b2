import type { Refusal } from '../domain/filter.ts'
import { lockOf } from '../domain/lock.ts'
import { marketOf } from '../domain/market.ts'
import type { Order, OrderRequest } from '../domain/order.ts'
import { watched } from '../domain/quote.ts'
import { followed } from '../domain/trigger.ts'
import type { Entry } from '../store/ledger.ts'
import { freeOf } from './affordable.ts'
import { end } from './end.ts'
import { examine } from './examine.ts'
import { judge, type Verdict } from './judge.ts'
import type { Placed } from './placed.ts'
import { type Floor, newOrder, putVersion, type Run } from './run.ts'
import { take } from './take.ts'

/** Places an order: it waits for its trigger, or it takes what it can and rests, or it is refused. */
export function place(run: Run, entry: Entry, request: OrderRequest): Placed {
  const refusal = examine(run.floor, entry, request)
  if (refusal) return { refusal }
  if (request.trigger) return placeWaiting(run, entry, request)
  const arriving = draft(run, request)
  const verdict = judge(run.floor, entry, arriving)
  if ('refusal' in verdict) return verdict
  const order = putVersion(run, entry, newOrder(run, request, { quantity: verdict.quantity }))
  return placedAs(run, entry, goLive(run, entry, order, verdict))
}

/** All the checks of a placement, and none of its effects. */
export function check(floor: Floor, entry: Entry, request: OrderRequest, now: number): Refusal | undefined {
  const refusal = examine(floor, entry, request)
  if (refusal) return refusal
  const order: Order = draft({ now }, following(floor, request))
  if (request.trigger) return unaffordable(floor, entry, order)
  const verdict = judge(floor, entry, order)
  return 'refusal' in verdict ? verdict.refusal : undefined
}

/** An order that stands before the book, not placed yet. */
export function draft({ now }: Pick<Run, 'now'>, request: OrderRequest): Order {
  const begun = { id: 0, status: 'open', filled: 0n, filledValue: 0n } as const
  return { ...request, ...begun, createdAt: now, updatedAt: now }
}

/** Lets an order do what was judged of it. */
export function goLive(
  run: Run,
  entry: Entry,
  order: Order,
  verdict: Exclude<Verdict, { refusal: Refusal }>,
): Order {
  return verdict.ends ? end(run, entry, order, verdict.ends) : take(run, entry, order, verdict.plan)
}

/** The answer to a placement: the order as it is now, with what it executed in this call. */
export function placedAs(run: Run, entry: Entry, order: Order): Placed {
  const fills = run.changes.get(entry)?.fills ?? []
  return { order, fills: fills.filter(({ orderId }) => orderId === order.id) }
}

function placeWaiting(run: Run, entry: Entry, request: OrderRequest): Placed {
  const refusal = unaffordable(run.floor, entry, draft(run, following(run.floor, request)))
  return refusal ? { refusal } : { order: putWaiting(run, entry, request), fills: [] }
}

/** The request with its trigger where the price is, if it follows the price. */
export function following(floor: Floor, request: OrderRequest): OrderRequest {
  const market = marketOf(request.market)
  const { trigger } = request
  if (!trigger) return request
  return {
    ...request,
    trigger: followed(market, trigger, watched(market, floor.board.of(market.id), trigger.by)),
  }
}

/** Stores an order that waits for its trigger. */
export function putWaiting(run: Run, entry: Entry, request: OrderRequest, more: Partial<Order> = {}): Order {
  return putVersion(
    run,
    entry,
    newOrder(run, following(run.floor, request), { status: 'untriggered', ...more }),
  )
}

// A waiting order needs money only where the venue locks it.
function unaffordable(floor: Floor, entry: Entry, order: Order): Refusal | undefined {
  const lock = lockOf({ ...order, status: 'untriggered' })
  if (!lock || lock.amount <= freeOf(floor, entry, lock.asset)) return undefined
  return 'balanceInsufficient'
}
