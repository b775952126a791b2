import { floorToStep, isGreater, isLess, subtract } from '@tripline/proto/decimal'
import { type StreamEvent, summaryOf } from '../exchange.ts'
import { rowsAt, textAt } from '../json-text.ts'
import { productStep } from '../product.ts'
import { eventOf, readUntil, type Step, watchRead } from '../run-context.ts'
import { pause } from '../transport.ts'
import { hasOrder } from './orders.ts'
import { cancel, meaning, postOrder, read, reportOf, type SpotRun } from './spot-run.ts'
import type { Fields } from './wire.ts'

async function fillStep(run: SpotRun): Promise<void> {
  const { judge, size, wire } = run
  const before = await freeOf(run)
  const id = run.newId()
  const from = wire.events.length
  const filled = await postOrder(run, id, 'BUY', { type: 'MARKET', quantity: size.quantity })
  const [fill] = rowsAt(filled.json, 'fills')
  const isCosted = textAt(fill, 'commission') !== '' && textAt(fill, 'commissionAsset') !== ''
  judge.check('fill.answer', textAt(filled.json, 'status') === 'FILLED' && isCosted, summaryOf(filled))
  if (filled.code === 0) run.bought = id
  const orderId = textAt(filled.json, 'orderId')
  await Promise.all([
    watchRead(run, 'lag.look-up', ['GET order', 'a fill'], filled.answeredAt, async () => {
      const { json } = await read(run, 'order.get', 'order', { origClientOrderId: id })
      return textAt(json, 'status') === 'FILLED'
    }),
    watchRead(run, 'lag.lists', ['myTrades', 'a fill'], filled.answeredAt, async () => {
      return rowsAt((await read(run, 'myTrades', 'myTrades', { orderId })).json).length > 0
    }),
    watchRead(run, 'lag.lists', ['allOrders', 'a fill'], filled.answeredAt, async () => {
      return hasOrder(await read(run, 'orders.all', 'allOrders'), id)
    }),
    watchRead(run, 'lag.account', ['account', 'a fill'], filled.answeredAt, async () => {
      return isGreater(await freeOf(run), before)
    }),
  ])
  const bought = subtract(
    await readUntil(
      run,
      () => freeOf(run),
      (free) => isGreater(free, before),
    ),
    before,
  )
  run.sellable = floorToStep(isLess(bought, size.quantity) ? bought : size.quantity, run.rules.quantityStep)
  const list = async () => await read(run, 'myTrades', 'myTrades', { orderId })
  const trades = await readUntil(run, list, ({ json }) => rowsAt(json).length > 0)
  const [row] = rowsAt(trades.json)
  const coin = textAt(row, 'commissionAsset')
  judge.check('fill.trades', coin !== '' && textAt(row, 'commission') !== '', summaryOf(trades))
  const event = await reportOf(run, id, 'FILLED')
  const isSame = textAt(event?.json, 'N') === coin && textAt(event?.json, 'n') !== ''
  judge.check(
    'fill.fee',
    isSame,
    `the event: ${textAt(event?.json, 'N') || 'none'}, myTrades: ${coin || 'none'}`,
  )
  await judgeEvents(run, id, from)
}

/** Returns the free base coins. */
async function freeOf(run: SpotRun): Promise<string> {
  const { json } = await run.wire.ask('account', 'GET', '/api/v3/account', { omitZeroBalances: 'true' })
  const row = rowsAt(json, 'balances').find((one) => textAt(one, 'asset') === run.rules.base)
  return textAt(row, 'free') || '0'
}

async function judgeEvents(run: SpotRun, id: string, from: number): Promise<void> {
  const wordFor = ({ json }: StreamEvent): string | undefined => {
    if (textAt(json, 'e') === 'outboundAccountPosition') return 'outboundAccountPosition'
    return textAt(json, 'e') === 'executionReport' && textAt(json, 'c') === id ? textAt(json, 'x') : undefined
  }
  const words = () =>
    run.wire.events
      .slice(from)
      .map(wordFor)
      .filter((word) => word !== undefined)
  const isWhole = (): boolean => words().includes('TRADE') && words().at(-1) === 'outboundAccountPosition'
  await eventOf([0], isWhole, () => pause(20, run.line.signal), 3000)
  const seen = words()
  const isInOrder =
    seen[0] === 'NEW' && seen.indexOf('TRADE') > 0 && seen.at(-1) === 'outboundAccountPosition'
  run.judge.check('fill.order', isInOrder, seen.join(', ') || 'no events')
}

async function conditionalStep(run: SpotRun): Promise<void> {
  const { judge, size, sellable: quantity } = run
  const timeInForce = 'GTC'
  const stop = { type: 'STOP_LOSS_LIMIT', quantity, timeInForce, price: size.stopLimit, stopPrice: size.stop }
  const profit = {
    type: 'TAKE_PROFIT_LIMIT',
    quantity,
    timeInForce,
    price: size.takeProfit,
    stopPrice: size.takeProfit,
  }
  for (const fields of [stop, profit]) {
    const id = run.newId()
    const placed = await postOrder(run, id, 'SELL', { ...fields, newOrderRespType: 'RESULT' })
    const isListed = async () => hasOrder(await read(run, 'openOrders', 'openOrders'), id)
    await watchRead(run, 'lag.lists', ['openOrders', fields.type], placed.answeredAt, isListed)
    const isOpen = await readUntil(run, isListed, (isShown) => isShown)
    judge.check('stop.answer', placed.code === 0 && isOpen, summaryOf(placed))
    await cancel(run, id)
  }
  await pairStep(run)
}

function pairFields(run: SpotRun, [above, below]: readonly [string, string]): Fields {
  const { size, line, sellable: quantity } = run
  for (const clientId of [above, below]) run.note(clientId)
  return {
    ...{ symbol: line.symbol, side: 'SELL', quantity, newOrderRespType: 'RESULT' },
    ...{ aboveType: 'LIMIT_MAKER', abovePrice: size.farSell, aboveClientOrderId: above },
    ...{ belowType: 'STOP_LOSS_LIMIT', belowPrice: size.stopLimit, belowStopPrice: size.stop },
    ...{ belowTimeInForce: 'GTC', belowClientOrderId: below },
  }
}

async function pairStep(run: SpotRun): Promise<void> {
  const { judge, wire, line, size } = run
  if (!run.rules.features.nativeOco) return judge.skip('pair.answer', `${line.symbol} takes no pairs`)
  const ids = [run.newId(), run.newId()] as const
  const path = '/api/v3/orderList/oco'
  const placed = await wire.ask('oco', 'POST', path, pairFields(run, ids))
  const names = (list: string): string[] =>
    rowsAt(placed.json, list).map((row) => textAt(row, 'clientOrderId'))
  const areNamed = ['orders', 'orderReports'].every((list) => ids.every((id) => names(list).includes(id)))
  judge.check('pair.answer', areNamed, summaryOf(placed))
  const list = await eventOf(
    wire.events,
    ({ json }) =>
      textAt(json, 'e') === 'listStatus' &&
      ids.every((id) => rowsAt(json, 'O').some((order) => textAt(order, 'c') === id)),
    () => pause(20, line.signal),
  )
  judge.check('pair.event', list !== undefined, list ? 'both were reported' : 'no listStatus of both')
  await wire.ask('openOrderList', 'GET', '/api/v3/openOrderList')
  const ended = await cancel(run, ids[0])
  const other = await reportOf(run, ids[1], 'CANCELED')
  judge.check('pair.ended', ended.code === 0 && other !== undefined, summaryOf(ended))
  const crossedIds = [run.newId(), run.newId()] as const
  const crossed = { ...pairFields(run, crossedIds), abovePrice: size.farBuy }
  const refused = await wire.ask('refusal', 'POST', path, crossed)
  judge.check('pair.crossed', meaning(refused) === 'E511', summaryOf(refused))
}

/** Sells what was bought, under the client id that bought it. */
async function closeStep(run: SpotRun): Promise<void> {
  const { judge } = run
  if (run.bought === undefined) throw new Error('nothing was bought')
  const fields = { type: 'MARKET', quantity: run.sellable }
  const again = await postOrder(run, run.bought, 'SELL', fields)
  judge.check('id.reuse', again.code === 0, summaryOf(again))
  const sold = again.code === 0 ? again : await postOrder(run, run.newId(), 'SELL', fields)
  judge.check('close.sold', textAt(sold.json, 'status') === 'FILLED', summaryOf(sold))
}

/** Steps that buy, need and sell a holding. */
export const spotFillSteps: readonly Step<SpotRun>[] = [
  { name: 'fill', run: fillStep },
  { name: 'conditional', run: conditionalStep },
  { name: 'product', run: productStep },
  { name: 'close', run: closeStep },
]
