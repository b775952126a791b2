import { absolute, add, subtract } from '@tripline/proto/decimal'
import { type Answer, summaryOf } from '../exchange.ts'
import { rowsAt, textAt } from '../json-text.ts'
import { productStep } from '../product.ts'
import { eventOf, readUntil, type Step, watchRead } from '../run-context.ts'
import { pause } from '../transport.ts'
import { closeStep, fillStep } from './futures-fill.ts'
import { type FuturesRun, postOrder, read, updateOf } from './futures-run.ts'
import type { Fields } from './wire.ts'

function stopFields(
  run: FuturesRun,
  clientAlgoId: string,
  type: 'STOP_MARKET' | 'TAKE_PROFIT_MARKET',
): Fields {
  const { size, line } = run
  run.note(clientAlgoId)
  return {
    ...{ algoType: 'CONDITIONAL', symbol: line.symbol, side: 'SELL', type, clientAlgoId },
    ...{ quantity: size.quantity, workingType: 'CONTRACT_PRICE', reduceOnly: 'true' },
    triggerPrice: type === 'STOP_MARKET' ? size.stop : size.takeProfit,
  }
}

async function algoEvent(run: FuturesRun, clientId: string, status: string) {
  return await eventOf(
    run.wire.events,
    ({ json }) =>
      textAt(json, 'e') === 'ALGO_UPDATE' &&
      textAt(json, 'o.caid') === clientId &&
      textAt(json, 'o.X') === status,
    () => pause(20, run.line.signal),
  )
}

async function conditionalStep(run: FuturesRun): Promise<void> {
  const { judge, wire } = run
  const id = run.newId()
  const placed = await wire.ask('algo.post', 'POST', '/fapi/v1/algoOrder', stopFields(run, id, 'STOP_MARKET'))
  const algoId = textAt(placed.json, 'algoId')
  const isNew = textAt(placed.json, 'algoStatus') === 'NEW' && textAt(placed.json, 'clientAlgoId') === id
  judge.check('algo.answer', isNew && algoId !== '', summaryOf(placed))
  await watchRead(run, 'lag.lists', ['openAlgoOrders', 'a stop'], placed.answeredAt, async () => {
    return rowOf(await read(run, 'algo.list', 'v1/openAlgoOrders'), id) !== undefined
  })
  const list = async () => rowOf(await read(run, 'algo.list', 'v1/openAlgoOrders'), id)
  const row = await readUntil(run, list, (one) => one !== undefined)
  const isLive = textAt(row, 'isActivated') !== '' && textAt(row, 'actualPrice') === ''
  judge.check('algo.open', isLive, JSON.stringify(row ?? 'not listed').slice(0, 500))
  const byId = await read(run, 'algo.get.absent', 'v1/algoOrder', { algoId })
  judge.check('algo.by-id', byId.code === -2013, summaryOf(byId))
  const ask = async () => await read(run, 'algo.get', 'v1/algoOrder', { clientAlgoId: id })
  const byName = await readUntil(run, ask, ({ code }) => code === 0)
  judge.check('algo.by-name', textAt(byName.json, 'clientAlgoId') === id, summaryOf(byName))
  const event = await algoEvent(run, id, 'NEW')
  judge.check('algo.event', event !== undefined, event === undefined ? 'no event of NEW' : 'NEW was reported')
  await endAlgo(run, id, algoId)
  await socketAlgo(run)
}

async function endAlgo(run: FuturesRun, id: string, algoId: string): Promise<void> {
  const { judge, wire, line } = run
  const fields = { symbol: line.symbol, algoId }
  const ended = await wire.ask('algo.cancel', 'DELETE', '/fapi/v1/algoOrder', fields)
  judge.check('algo.delete', textAt(ended.json, 'code') === '200', summaryOf(ended))
  await watchRead(run, 'lag.lists', ['openAlgoOrders', 'the end of a stop'], ended.answeredAt, async () => {
    return rowOf(await read(run, 'algo.list', 'v1/openAlgoOrders'), id) === undefined
  })
  const event = await algoEvent(run, id, 'CANCELED')
  judge.check(
    'algo.event',
    event !== undefined,
    event === undefined ? 'no event of CANCELED' : 'NEW and CANCELED were reported',
  )
  await watchRead(run, 'lag.lists', ['allAlgoOrders', 'the end of a stop'], ended.answeredAt, async () => {
    const found = rowOf(await read(run, 'algo.list', 'v1/allAlgoOrders', { limit: '50' }), id)
    return textAt(found, 'algoStatus') === 'CANCELED'
  })
  const list = async () => rowOf(await read(run, 'algo.list', 'v1/allAlgoOrders', { limit: '50' }), id)
  const all = await readUntil(run, list, (row) => textAt(row, 'algoStatus') === 'CANCELED')
  judge.check(
    'algo.all',
    textAt(all, 'algoStatus') === 'CANCELED',
    JSON.stringify(all ?? 'not there').slice(0, 160),
  )
  const again = await wire.ask('algo.cancel.gone', 'DELETE', '/fapi/v1/algoOrder', fields)
  judge.check('algo.gone', again.code === -2011, summaryOf(again))
}

async function socketAlgo(run: FuturesRun): Promise<void> {
  const { judge, line, wire } = run
  if (line.address.orders === undefined)
    return judge.skip('algo.socket', 'the network has no socket for orders')
  const id = run.newId()
  const placed = await wire.askSocket('ws.algo', 'algoOrder.place', stopFields(run, id, 'TAKE_PROFIT_MARKET'))
  const { json } = placed
  const isNew = textAt(json, 'result.algoStatus') === 'NEW' && textAt(json, 'result.clientAlgoId') === id
  judge.check('algo.socket', isNew, summaryOf(placed))
  const fields = { symbol: line.symbol, clientAlgoId: id }
  await wire.ask('algo.cancel', 'DELETE', '/fapi/v1/algoOrder', fields)
}

// Each of them stands further off, so only a market that runs away for good outruns them all.
const mostTries = 6
const wouldTrigger = -2021

/** The best offer. */
async function askPrice(run: FuturesRun): Promise<string> {
  const quote = await read(run, 'ticker.bookTicker', 'v1/ticker/bookTicker')
  return textAt(quote.json, 'askPrice')
}

/**
 * Sends a stop to buy a tick beside the market. One that the market had passed before it came there is sent again under
 * another id, beside the market by how far that went meanwhile.
 */
async function stopBeside(run: FuturesRun): Promise<{ id: string; placed: Answer }> {
  const { wire, line, rules, size } = run
  let ask = await askPrice(run)
  let gap = rules.priceTick
  for (let tries = 1; ; tries++) {
    const id = run.newId()
    run.note(id)
    const placed = await wire.ask('algo.post', 'POST', '/fapi/v1/algoOrder', {
      ...{ algoType: 'CONDITIONAL', symbol: line.symbol, side: 'BUY', type: 'STOP_MARKET', clientAlgoId: id },
      ...{ quantity: size.quantity, workingType: 'CONTRACT_PRICE', triggerPrice: add(ask, gap) },
    })
    if (placed.code !== wouldTrigger || tries === mostTries) return { id, placed }
    const passed = await askPrice(run)
    gap = add(gap, absolute(subtract(passed, ask)))
    ask = passed
  }
}

/** A stop to buy beside the market, which triggers when that moves a little; what it bought is sold at once. */
async function triggerStep(run: FuturesRun): Promise<void> {
  const { judge, wire, line, size, triggerMs } = run
  if (triggerMs === 0)
    return judge.skip('algo.child', 'only with --trigger-wait, since it needs a market that moves')
  const { id, placed } = await stopBeside(run)
  if (placed.code !== 0) return judge.skip('algo.child', `the stop was refused: ${summaryOf(placed)}`)
  const child = await updateOf(run, id, 'FILLED', triggerMs)
  if (child === undefined) {
    await wire.ask('algo.cancel', 'DELETE', '/fapi/v1/algoOrder', { symbol: line.symbol, clientAlgoId: id })
    return judge.skip('algo.child', `no event of its child in ${triggerMs / 1000} s`)
  }
  const ask = async () => await read(run, 'order.get', 'v1/order', { origClientOrderId: id })
  const found = await readUntil(run, ask, ({ json }) => textAt(json, 'status') === 'FILLED')
  judge.check(
    'algo.child',
    textAt(found.json, 'status') === 'FILLED',
    `GET order by our id: ${summaryOf(found)}`,
  )
  await postOrder(run, run.newId(), 'SELL', { type: 'MARKET', quantity: size.quantity, reduceOnly: 'true' })
}

/** Steps that make, need and end a position. */
export const conditionalSteps: readonly Step<FuturesRun>[] = [
  { name: 'fill', run: fillStep },
  { name: 'conditional', run: conditionalStep },
  { name: 'product', run: productStep },
  { name: 'close', run: closeStep },
  { name: 'trigger', run: triggerStep },
]

function rowOf({ json }: Answer, clientAlgoId: string): unknown {
  return rowsAt(json).find((row) => textAt(row, 'clientAlgoId') === clientAlgoId)
}
