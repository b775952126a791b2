import { summaryOf } from '../exchange.ts'
import { isAt, rowsAt, textAt } from '../json-text.ts'
import { readUntil, type Step, watchRead } from '../run-context.ts'
import { bybitFillSteps } from './fill.ts'
import {
  type BybitRun,
  cancel,
  create,
  createFields,
  farLimit,
  isAbsent,
  isDuplicate,
  list,
  marketOrder,
  meaning,
  orderEvent,
  realtimeOf,
  rowOf,
  statusOf,
} from './run.ts'

async function signingStep(run: BybitRun): Promise<void> {
  const { judge, wire, category, line } = run
  const query = { category, symbol: line.symbol }
  const wrong = await wire.get('order.realtime', query, { signed: 'wrong', as: 'refusal' })
  judge.check('signature.wrong', wrong.code === 10004, summaryOf(wrong))
  const id = run.newId()
  const fields = createFields(run, id, 'Buy', farLimit(run, 'PostOnly'))
  const late = await wire.post('order.create', fields, { earlierMs: 10_000 })
  const status = await statusOf(run, id)
  judge.check(
    'window.checked',
    late.code === 10002 && status === '',
    `${summaryOf(late)}; realtime: ${status || 'none'}`,
  )
}

/** Sets what is so already. */
async function settingsStep(run: BybitRun): Promise<void> {
  const { judge, wire, category, line } = run
  await wire.get('account.info')
  await wire.get('account.wallet-balance', { accountType: 'UNIFIED' })
  if (category === 'spot') return
  const [position] = rowsAt((await list(run, 'position.list')).json, 'result.list')
  const leverage = textAt(position, 'leverage') || '10'
  const fields = { category, symbol: line.symbol }
  const set = { ...fields, buyLeverage: leverage, sellLeverage: leverage }
  const leveraged = await wire.post('position.set-leverage', set)
  judge.check('leverage.same', leveraged.code === 110043, summaryOf(leveraged))
  const mode = await wire.post('position.switch-mode', { ...fields, mode: 0 })
  judge.check('mode.same', mode.code === 110025, summaryOf(mode))
}

async function absentStep(run: BybitRun): Promise<void> {
  const { judge } = run
  const never = run.newId()
  const found = [
    await list(run, 'order.realtime', { orderLinkId: never }),
    await list(run, 'order.history', { orderLinkId: never }),
  ]
  const isEmpty = found.every(({ code, json }) => code === 0 && rowsAt(json, 'result.list').length === 0)
  judge.check('absent.order', isEmpty, found.map(summaryOf).join('; '))
  const canceled = await cancel(run, never, 'Order')
  judge.check('absent.cancel', isAbsent(canceled), summaryOf(canceled))
}

async function refusalsStep(run: BybitRun): Promise<void> {
  const { judge, size, category } = run
  if (size.tooSmall === undefined)
    judge.skip('refused.value', 'the least lot is worth more than the least value')
  else {
    const small = await create(run, run.newId(), 'Buy', { ...farLimit(run, 'PostOnly'), qty: size.tooSmall })
    judge.check('refused.value', ['E504', 'E502'].includes(meaning(small)), summaryOf(small))
  }
  const id = run.newId()
  const taking = await create(run, id, 'Buy', { ...farLimit(run, 'PostOnly'), price: size.taking })
  const ended = taking.code === 0 ? await orderEvent(run, id, 'Cancelled', 'Rejected') : undefined
  const isMaker =
    meaning(taking) === 'E509' || textAt(ended, 'rejectReason') === 'EC_PostOnlyWillTakeLiquidity'
  judge.check('maker.ended', isMaker, `${summaryOf(taking)} ${textAt(ended, 'rejectReason')}`)
  if (category === 'spot') return
  const reduce = await create(run, run.newId(), 'Sell', { ...marketOrder(run), reduceOnly: true })
  judge.check('refused.reduce', meaning(reduce) === 'E510', summaryOf(reduce))
  // A stop to buy waits for a rise: far below the market it is there already.
  const stop = { ...marketOrder(run), triggerPrice: size.stop, triggerDirection: 1, triggerBy: 'LastPrice' }
  const trigger = await create(run, run.newId(), 'Buy', stop)
  judge.check('refused.trigger', meaning(trigger) === 'E507', summaryOf(trigger))
}

async function limitStep(run: BybitRun): Promise<void> {
  const { judge, wire, category, line, size } = run
  const id = run.newId()
  const placed = await create(run, id, 'Buy', farLimit(run, 'PostOnly'))
  const orderId = textAt(placed.json, 'result.orderId')
  const isNamed = orderId !== '' && textAt(placed.json, 'result.orderLinkId') === id
  judge.check('limit.answer', isNamed, summaryOf(placed))
  await Promise.all([
    watchRead(run, 'lag.look-up', ['realtime by id', 'a limit order'], placed.answeredAt, async () => {
      return (await statusOf(run, id)) === 'New'
    }),
    watchRead(run, 'lag.lists', ['realtime of the symbol', 'a limit order'], placed.answeredAt, async () => {
      return rowOf(await list(run, 'order.realtime'), id) !== undefined
    }),
  ])
  const event = await orderEvent(run, id, 'New')
  judge.check('limit.event', event !== undefined, event ? 'New was reported' : 'no event of New')
  const again = await create(run, id, 'Buy', farLimit(run, 'PostOnly'), 'refusal')
  judge.check('id.once', isDuplicate(again), `while it is open: ${summaryOf(again)}`)
  const fields = { category, symbol: line.symbol, orderLinkId: id, price: size.otherFarBuy }
  const amended = await wire.post('order.amend', fields)
  const isPriced = (row: unknown): boolean => isAt(row, 'price', size.otherFarBuy)
  const shown = await readUntil(run, () => realtimeOf(run, id), isPriced)
  const isAmended = isPriced(shown)
  judge.check('amend', isAmended && textAt(shown, 'orderId') === orderId, summaryOf(amended))
  await cancelStep(run, id)
}

async function cancelStep(run: BybitRun, id: string): Promise<void> {
  const { judge } = run
  const canceled = await cancel(run, id, 'Order')
  const since = canceled.answeredAt
  await Promise.all([
    watchRead(run, 'lag.look-up', ['realtime by id', 'a cancel'], since, async () => {
      return (await statusOf(run, id)) === 'Cancelled'
    }),
    watchRead(run, 'lag.lists', ['realtime of the symbol', 'a cancel'], since, async () => {
      const row = rowOf(await list(run, 'order.realtime'), id)
      return row === undefined || textAt(row, 'orderStatus') === 'Cancelled'
    }),
    watchRead(run, 'lag.lists', ['history', 'a cancel'], since, async () => {
      return rowOf(await list(run, 'order.history', { orderLinkId: id }), id) !== undefined
    }),
  ])
  const status = await readUntil(
    run,
    () => statusOf(run, id),
    (word) => word === 'Cancelled',
  )
  const isAnswered = canceled.code === 0 && textAt(canceled.json, 'result.orderLinkId') === id
  judge.check('cancel.answer', isAnswered && status === 'Cancelled', `${summaryOf(canceled)}; ${status}`)
  const event = await orderEvent(run, id, 'Cancelled')
  judge.check(
    'limit.event',
    event !== undefined,
    event ? 'New and Cancelled were reported' : 'no event of Cancelled',
  )
  const gone = await cancel(run, id, 'Order')
  judge.check('cancel.again', isAbsent(gone), summaryOf(gone))
  const again = await create(run, id, 'Buy', farLimit(run, 'PostOnly'), 'refusal')
  judge.check('id.once', isDuplicate(again), `after its end: ${summaryOf(again)}`)
}

async function immediateStep(run: BybitRun): Promise<void> {
  const id = run.newId()
  await create(run, id, 'Buy', farLimit(run, 'IOC'))
  const ended = await orderEvent(run, id, 'Cancelled')
  const status = textAt(ended, 'orderStatus') || (await statusOf(run, id))
  run.judge.check('ioc.ended', status === 'Cancelled', `${status} ${textAt(ended, 'rejectReason')}`)
}

async function socketStep(run: BybitRun): Promise<void> {
  const { judge, line, wire } = run
  if (line.address.orders === undefined)
    return judge.skip('socket.answer', 'the network has no socket for orders')
  const id = run.newId()
  const placed = await wire.askSocket('order.create', createFields(run, id, 'Buy', farLimit(run, 'PostOnly')))
  const isNamed = textAt(placed.json, 'data.orderLinkId') === id && textAt(placed.json, 'data.orderId') !== ''
  judge.check('socket.answer', placed.code === 0 && isNamed, summaryOf(placed))
  const again = createFields(run, id, 'Buy', farLimit(run, 'PostOnly'))
  const refused = await wire.askSocket('order.create', again, 'refusal')
  judge.check('socket.refusal', isDuplicate(refused), summaryOf(refused))
  await cancel(run, id, 'Order')
}

/** The steps at Bybit, in their order. */
export const bybitSteps: readonly Step<BybitRun>[] = [
  { name: 'signing', run: signingStep },
  { name: 'settings', run: settingsStep },
  { name: 'absent', run: absentStep },
  { name: 'refusals', run: refusalsStep },
  { name: 'limit', run: limitStep },
  { name: 'immediate', run: immediateStep },
  { name: 'socket', run: socketStep },
  ...bybitFillSteps,
]
