import { type Answer, summaryOf } from '../exchange.ts'
import { isAt, textAt } from '../json-text.ts'
import { readUntil, type Step, watchRead } from '../run-context.ts'
import { conditionalSteps } from './futures-conditional.ts'
import { refusalSteps } from './futures-refusals.ts'
import { type FuturesRun, farLimit, postOrder, read, updateOf } from './futures-run.ts'
import { hasOrder, orderIdIn } from './orders.ts'

async function limitStep(run: FuturesRun): Promise<void> {
  const { judge, size } = run
  const id = run.newId()
  const placed = await postOrder(run, id, 'BUY', farLimit(run, 'GTX'))
  const isNew = textAt(placed.json, 'status') === 'NEW' && textAt(placed.json, 'clientOrderId') === id
  judge.check('limit.answer', isNew && textAt(placed.json, 'orderId') !== '', summaryOf(placed))
  judge.check('limit.no-mean', lacksMean(placed), `POST: ${summaryOf(placed)}`)
  await watchNew(run, id, placed)
  const event = await updateOf(run, id, 'NEW')
  judge.check(
    'limit.event',
    event !== undefined,
    event === undefined ? 'no event of NEW' : 'NEW was reported',
  )
  const ids = [placed, await read(run, 'order.get', 'v1/order', { origClientOrderId: id })].map(orderIdIn)
  if (event !== undefined) ids.push(/"i"\s*:\s*("?\d+"?)/.exec(event.text)?.[1] ?? 'none')
  judge.check('id.whole', new Set(ids).size === 1 && /^\d+$/.test(ids[0] ?? ''), `orderId ${ids.join(', ')}`)
  const again = await postOrder(run, id, 'BUY', farLimit(run, 'GTX'), 'refusal')
  judge.check('id.open', again.code === -4116, summaryOf(again))
  const { quantity, otherFarBuy: price } = size
  const amending = { symbol: run.line.symbol, side: 'BUY', origClientOrderId: id, quantity, price }
  const amended = await run.wire.ask('order.put', 'PUT', '/fapi/v1/order', amending)
  const isAmended = isAt(amended.json, 'price', price) && orderIdIn(amended) === ids[0]
  judge.check('amend', isAmended, summaryOf(amended))
  await cancelStep(run, id)
}

async function cancelStep(run: FuturesRun, id: string): Promise<void> {
  const { judge, line, wire } = run
  const cancel = async () =>
    await wire.ask('order.delete', 'DELETE', '/fapi/v1/order', { symbol: line.symbol, origClientOrderId: id })
  const canceled = await cancel()
  judge.check('cancel.answer', textAt(canceled.json, 'status') === 'CANCELED', summaryOf(canceled))
  judge.check('limit.no-mean', lacksMean(canceled), `DELETE: ${summaryOf(canceled)}`)
  const since = canceled.answeredAt
  await Promise.all([
    watchRead(run, 'lag.look-up', ['GET order', 'a cancel'], since, async () => {
      return (
        textAt((await read(run, 'order.get', 'v1/order', { origClientOrderId: id })).json, 'status') ===
        'CANCELED'
      )
    }),
    watchRead(run, 'lag.lists', ['openOrders', 'a cancel'], since, async () => {
      return !hasOrder(await read(run, 'orders.list', 'v1/openOrders'), id)
    }),
  ])
  const event = await updateOf(run, id, 'CANCELED')
  judge.check(
    'limit.event',
    event !== undefined,
    event === undefined ? 'no event of CANCELED' : 'NEW and CANCELED were reported',
  )
  const again = await cancel()
  judge.check('cancel.again', again.code === -2011, summaryOf(again))
}

async function watchNew(run: FuturesRun, id: string, { answeredAt }: Answer): Promise<void> {
  await Promise.all([
    watchRead(run, 'lag.look-up', ['GET order', 'a limit order'], answeredAt, async () => {
      return (
        textAt((await read(run, 'order.get', 'v1/order', { origClientOrderId: id })).json, 'status') === 'NEW'
      )
    }),
    watchRead(run, 'lag.lists', ['openOrders', 'a limit order'], answeredAt, async () => {
      return hasOrder(await read(run, 'orders.list', 'v1/openOrders'), id)
    }),
    watchRead(run, 'lag.lists', ['allOrders', 'a limit order'], answeredAt, async () => {
      return hasOrder(await read(run, 'orders.all', 'v1/allOrders', { limit: '20' }), id)
    }),
  ])
}

async function immediateStep(run: FuturesRun): Promise<void> {
  const id = run.newId()
  await postOrder(run, id, 'BUY', farLimit(run, 'IOC'))
  const ended = await updateOf(run, id, 'EXPIRED')
  const ask = async () => await read(run, 'order.get', 'v1/order', { origClientOrderId: id })
  const found = await readUntil(run, ask, ({ json }) => textAt(json, 'status') === 'EXPIRED')
  const isExpired = textAt(found.json, 'status') === 'EXPIRED' && ended !== undefined
  run.judge.check(
    'ioc.ended',
    isExpired,
    `${summaryOf(found)}; the event ${ended === undefined ? 'did not come' : 'came'}`,
  )
}

async function socketStep(run: FuturesRun): Promise<void> {
  const { judge, line, wire } = run
  if (line.address.orders === undefined)
    return judge.skip('socket.answer', 'the network has no socket for orders')
  const id = run.newId()
  run.note(id)
  const common = { symbol: line.symbol, side: 'BUY', newClientOrderId: id, newOrderRespType: 'RESULT' }
  const placed = await wire.askSocket('ws.order', 'order.place', { ...common, ...farLimit(run, 'GTX') })
  const { json } = placed
  const isPlaced = textAt(json, 'result.status') === 'NEW' && textAt(json, 'result.clientOrderId') === id
  judge.check('socket.answer', isPlaced && textAt(json, 'result.avgPrice') === '', summaryOf(placed))
  const again = { ...common, ...farLimit(run, 'GTX') }
  const refused = await wire.askSocket('refusal', 'order.place', again)
  judge.check('socket.refusal', refused.status === 400 && refused.code === -4116, summaryOf(refused))
  await wire.ask('order.delete', 'DELETE', '/fapi/v1/order', { symbol: line.symbol, origClientOrderId: id })
}

/** The steps at Binance USDⓈ-M, in their order. */
export const futuresSteps: readonly Step<FuturesRun>[] = [
  ...refusalSteps,
  { name: 'limit', run: limitStep },
  { name: 'immediate', run: immediateStep },
  { name: 'socket', run: socketStep },
  ...conditionalSteps,
]

function lacksMean({ json, status }: Answer): boolean {
  return status < 300 && textAt(json, 'avgPrice') === '' && textAt(json, 'cumQuote') === ''
}
