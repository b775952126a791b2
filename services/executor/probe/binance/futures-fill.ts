import { isZero } from '@tripline/proto/decimal'
import { type Answer, type StreamEvent, summaryOf } from '../exchange.ts'
import { isAboveZeroAt, isAt, rowsAt, textAt } from '../json-text.ts'
import { eventOf, readUntil, watchRead } from '../run-context.ts'
import { pause } from '../transport.ts'
import { type FuturesRun, postOrder, read, updateOf } from './futures-run.ts'
import { hasOrder } from './orders.ts'

/** Buys at the market, and watches where and when that shows. */
export async function fillStep(run: FuturesRun): Promise<void> {
  const { judge, size, wire } = run
  const id = run.newId()
  const from = wire.events.length
  const filled = await postOrder(run, id, 'BUY', { type: 'MARKET', quantity: size.quantity })
  judge.check('fill.answer', textAt(filled.json, 'status') === 'FILLED', summaryOf(filled))
  if (filled.code === 0) run.bought = id
  const orderId = textAt(filled.json, 'orderId')
  await watchFill(run, id, orderId, filled)
  const ask = async () => await read(run, 'order.get', 'v1/order', { origClientOrderId: id })
  const found = await readUntil(run, ask, ({ json }) => textAt(json, 'status') === 'FILLED')
  const hasMean = ['avgPrice', 'cumQuote'].every((path) => isAboveZeroAt(found.json, path))
  judge.check('fill.get', hasMean, summaryOf(found))
  const trade = await updateOf(run, id, 'FILLED')
  const [streamedMean, mean] = [textAt(trade?.json, 'o.ap'), textAt(found.json, 'avgPrice')]
  const isSameMean = isAboveZeroAt(found.json, 'avgPrice') && isAt(trade?.json, 'o.ap', mean)
  judge.check('fill.mean', isSameMean, `the event: ${streamedMean || 'none'}, GET order: ${mean || 'none'}`)
  const list = async () => await read(run, 'userTrades', 'v1/userTrades', { orderId })
  const trades = await readUntil(run, list, ({ json }) => rowsAt(json).length > 0)
  const [row] = rowsAt(trades.json)
  const isCosted = textAt(row, 'commission') !== '' && textAt(row, 'commissionAsset') !== ''
  judge.check('fill.trades', isCosted, summaryOf(trades))
  const coin = textAt(trade?.json, 'o.N')
  const isSame = coin !== '' && textAt(trade?.json, 'o.n') !== '' && coin === textAt(row, 'commissionAsset')
  judge.check(
    'fill.fee',
    isSame,
    `the event: ${coin || 'none'}, userTrades: ${textAt(row, 'commissionAsset') || 'none'}`,
  )
  await judgeEvents(run, id, from)
}

async function watchFill(
  run: FuturesRun,
  id: string,
  orderId: string,
  { answeredAt }: Answer,
): Promise<void> {
  await Promise.all([
    watchRead(run, 'lag.look-up', ['GET order', 'a fill'], answeredAt, async () => {
      return (
        textAt((await read(run, 'order.get', 'v1/order', { origClientOrderId: id })).json, 'status') ===
        'FILLED'
      )
    }),
    watchRead(run, 'lag.lists', ['userTrades', 'a fill'], answeredAt, async () => {
      return rowsAt((await read(run, 'userTrades', 'v1/userTrades', { orderId })).json).length > 0
    }),
    watchRead(run, 'lag.lists', ['allOrders', 'a fill'], answeredAt, async () => {
      return hasOrder(await read(run, 'orders.all', 'v1/allOrders', { limit: '20' }), id)
    }),
    watchRead(run, 'lag.account', ['positionRisk', 'a fill'], answeredAt, async () => {
      const { json } = await read(run, 'positionRisk', 'v3/positionRisk')
      return rowsAt(json).some((row) => !isZero(textAt(row, 'positionAmt') || '0'))
    }),
    watchRead(run, 'lag.account', ['v3/account', 'a fill'], answeredAt, async () => {
      const { json } = await run.wire.ask('account', 'GET', '/fapi/v3/account')
      return rowsAt(json, 'positions').some((row) => textAt(row, 'symbol') === run.line.symbol)
    }),
  ])
}

const order = ['TRADE_LITE', 'NEW', 'ACCOUNT_UPDATE', 'TRADE']
const untrimmed = /"(?:[a-zA-Z]+)"\s*:\s*"-?\d+\.\d*0"/

/** The order and the notation of the events of one market order. */
async function judgeEvents(run: FuturesRun, id: string, from: number): Promise<void> {
  const isOfFill = (event: StreamEvent): boolean => wordFor(event, id) !== undefined
  await eventOf(
    [{}],
    () => run.wire.events.slice(from).filter(isOfFill).length >= order.length,
    () => pause(20, run.line.signal),
    3000,
  )
  const events = run.wire.events.slice(from).filter(isOfFill)
  const words = events.map((event) => wordFor(event, id))
  run.judge.check('fill.order', words.join() === order.join(), words.join(', ') || 'no events')
  const fat = events
    .filter((event) => textAt(event.json, 'e') !== 'TRADE_LITE')
    .map(({ text }) => untrimmed.exec(text)?.[0])
    .find((found) => found !== undefined)
  run.judge.check('fill.trimmed', fat === undefined, fat ?? 'no number with zeros at its end')
}

function wordFor({ json }: StreamEvent, id: string): string | undefined {
  const kind = textAt(json, 'e')
  if (kind === 'TRADE_LITE') return textAt(json, 'c') === id ? kind : undefined
  if (kind === 'ACCOUNT_UPDATE') return textAt(json, 'a.m') === 'ORDER' ? kind : undefined
  return kind === 'ORDER_TRADE_UPDATE' && textAt(json, 'o.c') === id ? textAt(json, 'o.x') : undefined
}

/** Ends the position under the client id that bought it. */
export async function closeStep(run: FuturesRun): Promise<void> {
  const { judge } = run
  if (run.bought === undefined) throw new Error('nothing was bought')
  const fields = { type: 'MARKET', quantity: run.size.quantity, reduceOnly: 'true' }
  const again = await postOrder(run, run.bought, 'SELL', fields)
  judge.check('id.reuse', again.code === 0, summaryOf(again))
  const ended = again.code === 0 ? again : await postOrder(run, run.newId(), 'SELL', fields)
  judge.check('close.flat', textAt(ended.json, 'status') === 'FILLED', summaryOf(ended))
  await watchRead(
    run,
    'lag.account',
    ['positionRisk', 'the end of a position'],
    ended.answeredAt,
    async () => {
      const { json } = await read(run, 'positionRisk', 'v3/positionRisk')
      return rowsAt(json).every((row) => isAt(row, 'positionAmt', '0'))
    },
  )
}
