import { floorToStep } from '@tripline/proto/decimal'
import { summaryOf } from '../exchange.ts'
import { isAboveZeroAt, isAt, rowsAt, textAt } from '../json-text.ts'
import { productStep } from '../product.ts'
import { eventOf, readUntil, type Step, watchRead } from '../run-context.ts'
import { pause } from '../transport.ts'
import {
  type BybitRun,
  cancel,
  create,
  isDuplicate,
  list,
  marketOrder,
  orderEvent,
  realtimeOf,
  rowOf,
  statusOf,
} from './run.ts'
import type { Fields } from './wire.ts'

async function fillStep(run: BybitRun): Promise<void> {
  const { judge, wire, category, rules } = run
  const id = run.newId()
  const from = wire.events.length
  const walletBefore = await walletOf(run)
  const placed = await create(run, id, 'Buy', marketOrder(run))
  if (placed.code === 0) run.bought = id
  const since = placed.answeredAt
  await Promise.all([
    watchRead(run, 'lag.look-up', ['realtime by id', 'a fill'], since, async () => {
      return (await statusOf(run, id)) === 'Filled'
    }),
    watchRead(run, 'lag.lists', ['history', 'a fill'], since, async () => {
      return rowOf(await list(run, 'order.history', { orderLinkId: id }), id) !== undefined
    }),
    watchRead(run, 'lag.lists', ['execution/list', 'a fill'], since, async () => {
      return rowOf(await list(run, 'execution.list', { orderLinkId: id }), id) !== undefined
    }),
    watchRead(run, 'lag.account', ['wallet-balance', 'a fill'], since, async () => {
      return (await walletOf(run)) !== walletBefore
    }),
  ])
  const row = await readUntil(
    run,
    () => realtimeOf(run, id),
    (one) => textAt(one, 'orderStatus') === 'Filled',
  )
  const isCosted = ['avgPrice', 'cumExecValue'].every((path) => isAboveZeroAt(row, path))
  judge.check('fill.row', isCosted, JSON.stringify(row ?? 'not shown').slice(0, 200))
  const asked = async () => await list(run, 'execution.list', { orderLinkId: id })
  const executions = await readUntil(run, asked, (answer) => rowOf(answer, id) !== undefined)
  const [execution] = rowsAt(executions.json, 'result.list')
  const isReported = textAt(execution, 'execFee') !== '' && textAt(execution, 'execQty') !== ''
  judge.check('fill.executions', isReported, summaryOf(executions))
  const ask = async () => (await run.account.boughtBy({ clientId: id })).quantity
  const bought = await readUntil(run, ask, (quantity) => quantity !== '0')
  run.sellable = floorToStep(bought, rules.quantityStep)
  await judgeEvents(run, from)
  if (category === 'linear') await watchPosition(run, since)
  const again = await create(run, id, 'Buy', marketOrder(run), 'refusal')
  judge.check('id.filled', isDuplicate(again), summaryOf(again))
}

/** Returns the balance of the coin that a fill changes. */
async function walletOf({ wire, rules, category }: BybitRun): Promise<string> {
  const { json } = await wire.get('account.wallet-balance', { accountType: 'UNIFIED' })
  const name = category === 'spot' ? rules.base : rules.quote
  const coin = rowsAt(json, 'result.list.0.coin').find((one) => textAt(one, 'coin') === name)
  return textAt(coin, 'walletBalance')
}

async function watchPosition(run: BybitRun, since: number): Promise<void> {
  const held = async () => rowsAt((await list(run, 'position.list')).json, 'result.list')
  await watchRead(run, 'lag.account', ['position/list', 'a fill'], since, async () => {
    return (await held()).some((row) => isAboveZeroAt(row, 'size'))
  })
  const [row] = await readUntil(run, held, (rows) => rows.some((one) => textAt(one, 'seq') !== ''))
  const seq = textAt(row, 'seq')
  run.judge.check(
    'position.seq',
    /^-?\d+$/.test(seq),
    seq === '' ? 'no seq' : `seq is ${seq.length} digits long`,
  )
}

async function judgeEvents(run: BybitRun, from: number): Promise<void> {
  const topics = () => [
    ...new Set(run.wire.events.slice(from).map(({ json }) => textAt(json, 'topic').split('.')[0] ?? '')),
  ]
  const wanted = ['order', 'execution', 'wallet', ...(run.category === 'linear' ? ['position'] : [])]
  const areAll = (): boolean => wanted.every((topic) => topics().includes(topic))
  await eventOf([0], areAll, () => pause(20, run.line.signal))
  run.judge.check('fill.events', areAll(), `in this order: ${topics().join(', ') || 'none'}`)
}

function stopOf(run: BybitRun, kind: 'stop' | 'takeProfit'): Fields {
  const { size, category, sellable } = run
  const triggerPrice = kind === 'stop' ? size.stop : size.takeProfit
  if (category === 'spot') return { ...marketOrder(run, sellable), triggerPrice, orderFilter: 'StopOrder' }
  const triggerDirection = kind === 'stop' ? 2 : 1
  return { ...marketOrder(run), triggerPrice, triggerDirection, triggerBy: 'LastPrice', reduceOnly: true }
}

async function conditionalStep(run: BybitRun): Promise<void> {
  const { judge } = run
  for (const kind of ['stop', 'takeProfit'] as const) {
    const id = run.newId()
    const placed = await create(run, id, 'Sell', stopOf(run, kind))
    await watchRead(run, 'lag.look-up', ['realtime by id', `a ${kind}`], placed.answeredAt, async () => {
      return (await statusOf(run, id)) === 'Untriggered'
    })
    const status = await readUntil(
      run,
      () => statusOf(run, id),
      (word) => word === 'Untriggered',
    )
    judge.check(
      'stop.answer',
      placed.code === 0 && status === 'Untriggered',
      `${summaryOf(placed)}; ${status}`,
    )
    const canceled = await cancel(run, id, 'StopOrder')
    const ended = await orderEvent(run, id, 'Deactivated', 'Cancelled')
    judge.check(
      'stop.ended',
      ended !== undefined,
      `${summaryOf(canceled)}; ${textAt(ended, 'orderStatus') || 'no event'}`,
    )
  }
}

async function closeStep(run: BybitRun): Promise<void> {
  const { judge, category } = run
  if (run.bought === undefined) throw new Error('nothing was bought')
  const id = run.newId()
  const reducing = category === 'linear' ? { reduceOnly: true } : {}
  const closed = await create(run, id, 'Sell', { ...marketOrder(run, run.sellable), ...reducing })
  const filled = await orderEvent(run, id, 'Filled')
  judge.check(
    'close.ended',
    filled !== undefined,
    `${summaryOf(closed)}; ${textAt(filled, 'orderStatus') || 'no event of Filled'}`,
  )
  if (category === 'spot') return
  await watchRead(
    run,
    'lag.account',
    ['position/list', 'the end of a position'],
    closed.answeredAt,
    async () => {
      return rowsAt((await list(run, 'position.list')).json, 'result.list').every((row) =>
        isAt(row, 'size', '0'),
      )
    },
  )
}

/** Steps that buy, need and sell a holding. */
export const bybitFillSteps: readonly Step<BybitRun>[] = [
  { name: 'fill', run: fillStep },
  { name: 'conditional', run: conditionalStep },
  { name: 'product', run: productStep },
  { name: 'close', run: closeStep },
]
