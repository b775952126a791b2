import { add, divide } from '@tripline/proto/decimal'
import { summaryOf } from '../exchange.ts'
import { textAt } from '../json-text.ts'
import { type Step, watchRead } from '../run-context.ts'
import { hasOrder, orderIdIn } from './orders.ts'
import { spotFillSteps } from './spot-fill.ts'
import { cancel, meaning, postOrder, read, reportOf, type SpotRun } from './spot-run.ts'
import type { Fields } from './wire.ts'

function farMaker({ size: { quantity, farBuy } }: SpotRun): Fields {
  return { type: 'LIMIT_MAKER', quantity, price: farBuy }
}

async function signingStep(run: SpotRun): Promise<void> {
  const { judge, line, wire } = run
  const { symbol } = line
  const wrong = await wire.ask('refusal', 'GET', '/api/v3/openOrders', { symbol }, { signed: 'wrong' })
  judge.check('signature.wrong', wrong.code === -1022, summaryOf(wrong))
  const id = run.newId()
  run.note(id)
  const fields = { symbol, side: 'BUY', newClientOrderId: id, ...farMaker(run) }
  const late = await wire.ask('order.post', 'POST', '/api/v3/order', fields, { earlierMs: 10_000 })
  const found = await read(run, 'order.get', 'order', { origClientOrderId: id })
  const isNowhere = late.code === -1021 && found.code === -2013
  judge.check('window.checked', isNowhere, `${summaryOf(late)}; GET: ${summaryOf(found)}`)
}

async function absentStep(run: SpotRun): Promise<void> {
  const never = run.newId()
  const found = await read(run, 'order.get', 'order', { origClientOrderId: never })
  run.judge.check('absent.order', found.code === -2013, summaryOf(found))
  const canceled = await cancel(run, never)
  run.judge.check('absent.cancel', canceled.code === -2011, summaryOf(canceled))
}

async function refusalsStep(run: SpotRun): Promise<void> {
  const { judge, size, rules } = run
  const limit = farMaker(run)
  if (size.tooSmall === undefined)
    judge.skip('refused.value', 'the least lot is worth more than the least value')
  else {
    const small = await postOrder(run, run.newId(), 'BUY', { ...limit, quantity: size.tooSmall })
    judge.check('refused.value', ['E504', 'E502'].includes(meaning(small)), summaryOf(small))
  }
  const between = add(size.farBuy, divide(rules.priceTick, '2'))
  const tick = await postOrder(run, run.newId(), 'BUY', { ...limit, price: between })
  judge.check('refused.tick', meaning(tick) === 'E508' || tick.code === -1111, summaryOf(tick))
  const maker = await postOrder(run, run.newId(), 'BUY', { ...limit, price: size.taking })
  judge.check('refused.maker', meaning(maker) === 'E509', summaryOf(maker))
  const { quantity, farBuy: price } = size
  const stop = { type: 'STOP_LOSS_LIMIT', quantity, price, stopPrice: price, timeInForce: 'GTC' }
  const trigger = await postOrder(run, run.newId(), 'BUY', stop)
  judge.check('refused.trigger', meaning(trigger) === 'E507', summaryOf(trigger))
}

async function limitStep(run: SpotRun): Promise<void> {
  const { judge } = run
  const id = run.newId()
  const placed = await postOrder(run, id, 'BUY', { ...farMaker(run), newOrderRespType: 'RESULT' })
  const isNew = textAt(placed.json, 'status') === 'NEW' && textAt(placed.json, 'clientOrderId') === id
  judge.check('limit.answer', isNew && textAt(placed.json, 'orderId') !== '', summaryOf(placed))
  await watchRead(run, 'lag.look-up', ['GET order', 'a limit order'], placed.answeredAt, async () => {
    return textAt((await read(run, 'order.get', 'order', { origClientOrderId: id })).json, 'status') === 'NEW'
  })
  for (const [name, call] of [['openOrders', 'openOrders'] as const, ['allOrders', 'orders.all'] as const])
    await watchRead(run, 'lag.lists', [name, 'a limit order'], placed.answeredAt, async () => {
      return hasOrder(await read(run, call, name), id)
    })
  const event = await reportOf(run, id, 'NEW')
  judge.check('limit.event', event !== undefined, event ? 'NEW was reported' : 'no event of NEW')
  const ids = [placed, await read(run, 'order.get', 'order', { origClientOrderId: id })].map(orderIdIn)
  if (event !== undefined) ids.push(/"i"\s*:\s*("?\d+"?)/.exec(event.text)?.[1] ?? 'none')
  judge.check('id.whole', new Set(ids).size === 1 && /^\d+$/.test(ids[0] ?? ''), `orderId ${ids.join(', ')}`)
  const again = await postOrder(run, id, 'BUY', farMaker(run), 'refusal')
  const isDuplicate = again.code === -2010 && textAt(again.json, 'msg').startsWith('Duplicate order')
  judge.check('id.open', isDuplicate, summaryOf(again))
  await cancelStep(run, await replace(run, id))
}

/** Puts another order in place of one; returns the id of the one that is open then. */
async function replace(run: SpotRun, id: string): Promise<string> {
  const { judge, line, size, wire } = run
  const other = run.newId()
  run.note(other)
  const replaced = await wire.ask('order.cancelReplace', 'POST', '/api/v3/order/cancelReplace', {
    ...{ symbol: line.symbol, side: 'BUY', ...farMaker(run), price: size.otherFarBuy },
    ...{ cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrigClientOrderId: id, newClientOrderId: other },
    newOrderRespType: 'RESULT',
  })
  const isReplaced = textAt(replaced.json, 'newOrderResponse.clientOrderId') === other
  judge.check('amend', isReplaced, summaryOf(replaced))
  return isReplaced ? other : id
}

async function cancelStep(run: SpotRun, id: string): Promise<void> {
  const { judge } = run
  const canceled = await cancel(run, id)
  judge.check('cancel.answer', textAt(canceled.json, 'status') === 'CANCELED', summaryOf(canceled))
  const since = canceled.answeredAt
  await Promise.all([
    watchRead(run, 'lag.look-up', ['GET order', 'a cancel'], since, async () => {
      const { json } = await read(run, 'order.get', 'order', { origClientOrderId: id })
      return textAt(json, 'status') === 'CANCELED'
    }),
    watchRead(run, 'lag.lists', ['openOrders', 'a cancel'], since, async () => {
      return !hasOrder(await read(run, 'openOrders', 'openOrders'), id)
    }),
  ])
  const event = await reportOf(run, id, 'CANCELED')
  judge.check(
    'limit.event',
    event !== undefined,
    event ? 'NEW and CANCELED were reported' : 'no event of CANCELED',
  )
  const names = `c ${textAt(event?.json, 'c')}, C ${textAt(event?.json, 'C')}`
  judge.check('cancel.name', textAt(event?.json, 'C') === id && textAt(event?.json, 'c') !== id, names)
  const again = await cancel(run, id)
  judge.check('cancel.again', again.code === -2011, summaryOf(again))
}

async function immediateStep(run: SpotRun): Promise<void> {
  const id = run.newId()
  const fields = { type: 'LIMIT', quantity: run.size.quantity, price: run.size.farBuy, timeInForce: 'IOC' }
  const placed = await postOrder(run, id, 'BUY', fields)
  run.judge.check('ioc.ended', textAt(placed.json, 'status') === 'EXPIRED', summaryOf(placed))
}

async function socketStep(run: SpotRun): Promise<void> {
  const { judge, line, wire } = run
  if (line.address.orders === undefined)
    return judge.skip('socket.answer', 'the network has no socket for orders')
  const id = run.newId()
  run.note(id)
  const fields = { symbol: line.symbol, side: 'BUY', newOrderRespType: 'FULL', ...farMaker(run) }
  const placed = await wire.askSocket('ws.order', 'order.place', { ...fields, newClientOrderId: id })
  const isNamed = textAt(placed.json, 'result.clientOrderId') === id
  judge.check('socket.answer', isNamed && textAt(placed.json, 'result.orderId') !== '', summaryOf(placed))
  const refused = await wire.askSocket('refusal', 'order.place', { ...fields, newClientOrderId: id })
  judge.check('socket.refusal', refused.status === 400 && refused.code === -2010, summaryOf(refused))
  await cancel(run, id)
}

/** The steps at Binance spot, in their order. */
export const spotSteps: readonly Step<SpotRun>[] = [
  { name: 'signing', run: signingStep },
  { name: 'absent', run: absentStep },
  { name: 'refusals', run: refusalsStep },
  { name: 'limit', run: limitStep },
  { name: 'immediate', run: immediateStep },
  { name: 'socket', run: socketStep },
  ...spotFillSteps,
]
