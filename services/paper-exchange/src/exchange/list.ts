import type { Refusal } from '../domain/filter.ts'
import { smaller } from '../domain/fixed.ts'
import { lockOf } from '../domain/lock.ts'
import type { Order, OrderList, OrderRequest } from '../domain/order.ts'
import type { Entry } from '../store/ledger.ts'
import { freeOf } from './affordable.ts'
import { examine } from './examine.ts'
import { judge } from './judge.ts'
import { draft, following, putWaiting } from './place.ts'
import type { ListPlaced, ListRequest } from './placed.ts'
import { keepOrder, newOrder, putListVersion, putVersion, type Run } from './run.ts'
import { take } from './take.ts'

/** Places two orders of which one ends the other: a limit or take profit and a stop loss. */
export function placeList(run: Run, entry: Entry, request: ListRequest): ListPlaced {
  const refusal = refusalOf(run, entry, request)
  if (refusal) return { refusal }
  const id = run.floor.ledger.lastListId + 1
  run.floor.ledger.lastListId = id
  const [first, second] = request.legs.map((leg) => putLeg(run, entry, leg, id))
  if (!first || !second) throw new Error('a list has two legs')
  const [a, b] = joined(first, second)
  const list: OrderList = {
    ...{ id, market: request.market, clientListId: request.clientListId, status: 'executing' },
    orderIds: [a.id, b.id],
    createdAt: run.now,
    updatedAt: run.now,
  }
  putListVersion(run, entry, list)
  const orders = [keepOrder(run, entry, a), keepOrder(run, entry, b)]
  return { list, orders: orders.map((order) => finishLeg(run, entry, order)) }
}

function refusalOf(run: Run, entry: Entry, { legs }: ListRequest): Refusal | undefined {
  for (const leg of legs) {
    const refusal = examine(run.floor, entry, leg)
    if (refusal) return refusal
  }
  return wrongPrices(run, legs) ?? wouldTake(run, entry, legs) ?? unaffordable(run, entry, legs)
}

// One leg lies above the last price and the other below it.
function wrongPrices(run: Run, [first, second]: ListRequest['legs']): Refusal | undefined {
  const { last } = run.floor.board.of(first.market)
  const [a, b] = [levelOf(first), levelOf(second)]
  const apart = (a > last && b < last) || (a < last && b > last)
  return apart && first.side === second.side ? undefined : 'listPricesWrong'
}

function levelOf({ trigger, price }: OrderRequest): bigint {
  return trigger ? (trigger.trailing?.activation ?? trigger.price) : price
}

function wouldTake(run: Run, entry: Entry, legs: ListRequest['legs']): Refusal | undefined {
  for (const leg of legs) {
    if (leg.trigger) continue
    const verdict = judge(run.floor, entry, { ...draft(run, leg), timeInForce: 'postOnly' })
    if ('refusal' in verdict && verdict.refusal === 'wouldTake') return verdict.refusal
  }
  return undefined
}

// Only one of the two will ever pay, so the dearer one is what the account must have.
function unaffordable(run: Run, entry: Entry, legs: ListRequest['legs']): Refusal | undefined {
  const locks = legs.map((leg) => lockOf(asLeg(draft(run, following(run.floor, leg)))))
  const most = locks.reduce((a, b) => ((b?.amount ?? 0n) > (a?.amount ?? 0n) ? b : a))
  return most && most.amount > freeOf(run.floor, entry, most.asset) ? 'balanceInsufficient' : undefined
}

function asLeg(order: Order): Order {
  return { ...order, status: order.trigger ? 'untriggered' : 'open' }
}

function putLeg(run: Run, entry: Entry, leg: OrderRequest, listId: number): Order {
  if (leg.trigger) return putWaiting(run, entry, leg, { listId })
  return putVersion(run, entry, newOrder(run, leg, { listId }))
}

function joined(first: Order, second: Order): readonly [Order, Order] {
  const locks = [lockOf(first)?.amount ?? 0n, lockOf(second)?.amount ?? 0n] as const
  const covered = smaller(...locks)
  return [
    { ...first, siblingId: second.id },
    { ...second, siblingId: first.id, covered },
  ]
}

function finishLeg(run: Run, entry: Entry, order: Order): Order {
  const known = entry.orders.get(order.id) ?? order
  return known.status === 'open' ? take(run, entry, known, { matches: [], left: known.quantity }) : known
}
