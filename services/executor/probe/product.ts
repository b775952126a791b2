import { setTimeout as sleep } from 'node:timers/promises'
import { isGreater } from '@tripline/proto/decimal'
import type { ClientOrderId } from '@tripline/proto/id'
import type { OrderPlan } from '../src/domain/order/order.ts'
import type { VenueEvent } from '../src/venue/venue.ts'
import { type Run, readUntil } from './run-context.ts'
import type { sharedAssumptions } from './shared-assumptions.ts'

type SharedRun = Run<keyof typeof sharedAssumptions>

/** Has the product do what it does in production, with the account that the probe has. */
export async function productStep(run: SharedRun): Promise<void> {
  const { product, judge, line } = run
  const { venue } = product
  const events: VenueEvent[] = []
  const unfollow = venue.follow?.((event) => void events.push(event))
  try {
    // The stream begins with a gap, which says that it reports from now on.
    await waitUntil(() => events.length > 0)
    const account = await venue.read(line.symbol)
    const { available, equity, ...shown } =
      account.outcome === 'read' ? account.account : { available: '', equity: '' }
    const hasAll = account.outcome === 'read' && 'position' in shown && isGreater(shown.bid, '0')
    judge.check(
      'product.account',
      hasAll,
      account.outcome === 'read' ? 'all of it was read' : JSON.stringify(account),
    )
    const ids = [await restingOrder(run), await stopOrder(run)]
    const isReported = (id: string): boolean =>
      events.some(
        (event) =>
          event.kind === 'order' && event.order.clientOrderId === id && event.order.status === 'canceled',
      )
    const areReported = await waitUntil(() => ids.every(isReported))
    const missing = ids.filter((id) => !isReported(id)).length
    judge.check(
      'product.reported',
      areReported,
      areReported ? 'placing and end of both' : `${missing} of 2 ends were not reported`,
    )
  } finally {
    unfollow?.()
  }
}

async function restingOrder(run: SharedRun): Promise<string> {
  const { product, judge, line, size } = run
  const { venue } = product
  const plan = planOf(run, 'buy', { type: 'limit', price: size.farBuy, timeInForce: 'postOnly' })
  const ref = { symbol: line.symbol, clientOrderId: plan.clientOrderId, isConditional: false }
  const placed = await venue.place(plan, () => undefined)
  const listed = await waitFor(async () => {
    const open = await venue.openOrders(line.symbol)
    return (
      open.outcome === 'read' && open.orders.some(({ clientOrderId }) => clientOrderId === ref.clientOrderId)
    )
  })
  judge.check(
    'product.rests',
    placed.outcome === 'done' && listed,
    `${wordOf(placed)}; ${listed ? '' : 'not '}listed`,
  )
  const found = await venue.lookUp(ref)
  judge.check('product.found', found.outcome === 'found', wordOf(found))
  const first = await venue.cancel(ref)
  // A cancel that finds nothing is unsure while a read shows the order open.
  const again = async () => await venue.cancel(ref)
  const second = await readUntil(run, again, ({ outcome }) => outcome !== 'unknown')
  const isCanceled = first.outcome === 'canceled' && ['gone', 'canceled'].includes(second.outcome)
  judge.check('product.canceled', isCanceled, `${wordOf(first)}, then ${wordOf(second)}`)
  return plan.clientOrderId
}

async function stopOrder(run: SharedRun): Promise<string> {
  const { product, judge, line, size, rules } = run
  const { venue } = product
  // Spot markets of Binance take no stop without a limit everywhere.
  const isSpot = rules.kind === 'spot'
  const plan = isSpot
    ? planOf(run, 'sell', { type: 'stopLimit', price: size.stopLimit, triggerPrice: size.stop })
    : planOf(run, 'sell', { type: 'stop', triggerPrice: size.stop, trigger: 'last', reduceOnly: true })
  const placed = await venue.place(plan, () => undefined)
  const ref = { symbol: line.symbol, clientOrderId: plan.clientOrderId, isConditional: true }
  const listed = await waitFor(async () => {
    const open = await venue.openOrders(line.symbol)
    return (
      open.outcome === 'read' && open.orders.some(({ clientOrderId }) => clientOrderId === ref.clientOrderId)
    )
  })
  const canceled = await venue.cancel(ref)
  const isDone = placed.outcome === 'done' && listed && canceled.outcome === 'canceled'
  const listing = listed ? 'listed' : 'not listed'
  judge.check('product.stop', isDone, `${wordOf(placed)}; ${listing}; ${wordOf(canceled)}`)
  return plan.clientOrderId
}

function planOf(
  run: SharedRun,
  side: 'buy' | 'sell',
  more: Partial<OrderPlan> & Pick<OrderPlan, 'type'>,
): OrderPlan {
  const clientOrderId = run.newId() as ClientOrderId
  run.note(clientOrderId)
  return {
    ...{
      clientOrderId,
      symbol: run.line.symbol,
      side,
      quantity: side === 'buy' ? run.size.quantity : run.sellable,
    },
    ...{ reduceOnly: false, positionSide: 'both', sizing: 'the least that the market takes' },
    ...more,
  }
}

function wordOf(value: { outcome: string }): string {
  const { order: _order, ...rest } = value as { outcome: string; order?: unknown }
  return Object.values(rest).join(' ')
}

async function waitFor(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 8; tries++) {
    if (await isSo()) return true
    await sleep(100 * 2 ** tries)
  }
  return false
}

async function waitUntil(isSo: () => boolean, withinMs = 5000): Promise<boolean> {
  const until = performance.now() + withinMs
  while (!isSo() && performance.now() < until) await sleep(20)
  return isSo()
}
