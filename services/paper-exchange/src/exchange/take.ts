import { smaller } from '../domain/fixed.ts'
import { type Market, marketOf } from '../domain/market.ts'
import { isOpen, type Order, remaining } from '../domain/order.ts'
import type { Match, Plan } from '../domain/plan.ts'
import type { Entry } from '../store/ledger.ts'
import { end } from './end.ts'
import { bookFill, bookHouse, executable } from './fill.ts'
import { rests, takenBy } from './judge.ts'
import { planFor } from './plan.ts'
import { keepOrder, putLast, type Run } from './run.ts'

/** Lets an order take what was planned; what is left of it rests or ends. */
export function take(run: Run, entry: Entry, order: Order, plan: Plan<Entry>): Order {
  const granted = run.floor.meddling?.takes(entry, order)
  const taken =
    granted === undefined || order.origin === 'liquidation'
      ? takeAll(run, entry, order, plan)
      : takePart(run, entry, order, plan, granted.ratio)
  if (!isOpen(taken)) return taken
  return granted?.isRestRejected ? end(run, entry, taken, 'refused') : finishRest(run, entry, taken)
}

function takeAll(run: Run, entry: Entry, order: Order, plan: Plan<Entry>): Order {
  const market = marketOf(order.market)
  const eaten = new Map<bigint, bigint>()
  let [now, next] = [order, plan]
  for (;;) {
    const due = now.filled + takenBy(next)
    for (const match of next.matches) now = trade(run, market, entry, now, match, eaten)
    // A resting order may have had less to give than it showed: the rest is looked for further on.
    if (!isOpen(now) || now.filled === due) return now
    next = planFor(run.floor, entry, now, remaining(now), eaten)
  }
}

const MILLION = 1_000_000n

function takePart(run: Run, entry: Entry, order: Order, plan: Plan<Entry>, granted: bigint): Order {
  const market = marketOf(order.market)
  const most = (takenBy(plan) * granted) / MILLION
  const end = order.filled + most - (most % market.step)
  let now = order
  for (const match of plan.matches) {
    const quantity = smaller(match.quantity, end - now.filled)
    if (quantity > 0n) now = trade(run, market, entry, now, { ...match, quantity }, new Map())
  }
  return now
}

function trade(
  run: Run,
  market: Market,
  entry: Entry,
  order: Order,
  match: Match<Entry>,
  eaten: Map<bigint, bigint>,
): Order {
  const { maker, price } = match
  const quantity = maker ? tradeWith(run, maker, match) : match.quantity
  if (quantity === 0n) return order
  const taken = bookFill(run, entry, order, { price, quantity, maker: false })
  if (!maker) {
    bookHouse(run, market, order.side, quantity, price)
    eaten.set(price, (eaten.get(price) ?? 0n) + quantity)
  }
  emitTrade(run, market, taken, price, quantity)
  return taken
}

// The resting order's own side of the trade: how much of it there was.
function tradeWith(run: Run, { id, owner }: NonNullable<Match<Entry>['maker']>, match: Match<Entry>): bigint {
  const order = owner.orders.get(id)
  if (order?.status !== 'open') return 0n
  if (match.isOwn) {
    end(run, owner, order, 'selfTrade')
    return 0n
  }
  const quantity = smaller(match.quantity, executable(owner, order, order.price))
  if (quantity === 0n) {
    end(run, owner, order, order.reduceOnly ? 'reduceOnly' : 'margin')
    return 0n
  }
  bookFill(run, owner, order, { price: match.price, quantity, maker: true })
  return quantity
}

function emitTrade(run: Run, market: Market, { side }: Order, price: bigint, quantity: bigint): void {
  const id = run.floor.ledger.lastFillId
  run.events.push({ kind: 'trade', market, price, quantity, takerSide: side, id, at: run.now })
  putLast(run, market, price)
}

function finishRest(run: Run, entry: Entry, order: Order): Order {
  if (order.type === 'market') return end(run, entry, order, 'noLiquidity')
  if (!rests(order)) return end(run, entry, order, 'timeInForce')
  run.floor.ledger.lastRank += 1
  return keepOrder(run, entry, { ...order, rank: run.floor.ledger.lastRank })
}
