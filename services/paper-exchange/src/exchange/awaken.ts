import type { Refusal } from '../domain/filter.ts'
import { bestPrice, type Ladder, queueAt } from '../domain/ladder.ts'
import { finePrice, type Market } from '../domain/market.ts'
import { type EndReason, isAlgo, type Order, type OrderRequest } from '../domain/order.ts'
import { watched } from '../domain/quote.ts'
import { followed, isReached, type TriggerBy } from '../domain/trigger.ts'
import type { Entry } from '../store/ledger.ts'
import { end, endSibling } from './end.ts'
import { judge } from './judge.ts'
import { type MarketOrders, ordersOfMarket } from './market-orders.ts'
import { goLive } from './place.ts'
import { keepOrder, newOrder, nextVersion, putVersion, type Run } from './run.ts'

const WATCHED: readonly TriggerBy[] = ['last', 'mark', 'index']

type Waiting = Readonly<{ id: number; entry: Entry }>

/** Wakes every order of the market whose trigger the price has reached, the oldest first. */
export function awakenAll(run: Run, market: Market, by: readonly TriggerBy[] = WATCHED): void {
  const orders = ordersOfMarket(run.floor.markets, market.id)
  followTrailing(run, orders)
  for (;;) {
    const reached = reachedAt(run, orders, by)
    if (reached.length === 0) return
    for (const { id, entry } of reached) {
      const order = entry.orders.get(id)
      // An earlier one may have ended it, as the other leg of a pair does.
      if (order?.status === 'untriggered') awaken(run, entry, order)
    }
  }
}

function followTrailing(run: Run, orders: MarketOrders): void {
  const quote = run.floor.board.of(orders.market.id)
  for (const [id, entry] of orders.trailing) {
    const order = entry.orders.get(id)
    if (!order?.trigger) continue
    const trigger = followed(orders.market, order.trigger, watched(orders.market, quote, order.trigger.by))
    // The price it stands at is not news: no event says so.
    if (trigger !== order.trigger) keepOrder(run, entry, { ...order, trigger })
  }
}

function reachedAt(run: Run, orders: MarketOrders, by: readonly TriggerBy[]): Waiting[] {
  const reached: Waiting[] = []
  const { market } = orders
  const quote = run.floor.board.of(market.id)
  for (const one of by) {
    const price = watched(market, quote, one)
    collect(orders.triggers[one].rises, (trigger) => finePrice(market, trigger) <= price, reached)
    collect(orders.triggers[one].falls, (trigger) => finePrice(market, trigger) >= price, reached)
  }
  for (const [id, entry] of orders.trailing) {
    const trigger = entry.orders.get(id)?.trigger
    if (trigger && isReached(market, trigger, watched(market, quote, trigger.by))) reached.push({ id, entry })
  }
  return reached.filter(({ id }) => !run.stuck.has(id)).sort((a, b) => a.id - b.id)
}

function collect(ladder: Ladder<Entry>, isThere: (price: bigint) => boolean, into: Waiting[]): void {
  const best = bestPrice(ladder)
  if (best === undefined || !isThere(best)) return
  for (let index = ladder.prices.length - 1; index >= 0; index -= 1) {
    const price = ladder.prices[index]
    if (price === undefined || !isThere(price)) return
    for (const [id, entry] of queueAt(ladder, price)) into.push({ id, entry })
  }
}

// The order becomes one like any other, or on Binance futures places one.
function awaken(run: Run, entry: Entry, order: Order): void {
  const meddled = run.floor.meddling?.atTrigger(entry, order)
  if (meddled === 'stuck') {
    hang(run, entry, order)
    return
  }
  endSibling(run, entry, order)
  const woken = wokenFrom(run, order)
  const verdict =
    meddled === 'reject' ? ({ refusal: 'marginInsufficient' } as const) : judge(run.floor, entry, woken)
  if ('refusal' in verdict) fail(run, entry, order, verdict.refusal)
  else if (isAlgo(order)) placeChild(run, entry, order, verdict)
  else goLive(run, entry, putVersion(run, entry, { ...woken, quantity: verdict.quantity }), verdict)
}

// It was noticed and forwarded, and nothing followed.
function hang(run: Run, entry: Entry, order: Order): void {
  run.stuck.add(order.id)
  if (order.isTriggered) return
  putVersion(run, entry, nextVersion(run, order, { isTriggered: true, triggeredAt: run.now }))
}

function wokenFrom(run: Run, order: Order): Order {
  const { covered: _covered, ...rest } = order
  const woken = nextVersion(run, rest, { status: 'open', isTriggered: true, triggeredAt: run.now })
  return { ...woken, ...(order.before && { before: order }) }
}

function fail(run: Run, entry: Entry, order: Order, refusal: Refusal): void {
  const endReason = reasonFor(refusal)
  const noticed = { ...order, isTriggered: true, triggeredAt: run.now }
  if (!isAlgo(order) || endReason !== 'margin') end(run, entry, noticed, endReason)
  else putVersion(run, entry, nextVersion(run, noticed, { status: 'rejected', endReason }))
}

function reasonFor(refusal: Refusal): EndReason {
  if (refusal === 'reduceOnlyRefused') return 'reduceOnly'
  return refusal === 'wouldTake' || refusal === 'notFillable' ? 'timeInForce' : 'margin'
}

function placeChild(
  run: Run,
  entry: Entry,
  order: Order,
  verdict: Exclude<ReturnType<typeof judge>, { refusal: Refusal }>,
): void {
  const child = newOrder(run, childOf(order), { quantity: verdict.quantity, parentId: order.id })
  const change = { status: 'triggered', isTriggered: true, triggeredAt: run.now, childId: child.id } as const
  putVersion(run, entry, nextVersion(run, order, change))
  goLive(run, entry, putVersion(run, entry, child), verdict)
}

// The order it becomes keeps its client order id: ordinary and algo orders are named apart.
function childOf(order: Order): OrderRequest {
  const { market, clientOrderId, side, type, timeInForce, quantity, price, reduceOnly, positionSide, words } =
    order
  const request = { market, clientOrderId, side, type, timeInForce, quantity, price, positionSide } as const
  return {
    ...request,
    reduceOnly,
    origin: 'algo',
    ...(order.closePosition && { closePosition: true }),
    ...(words && { words }),
  }
}
