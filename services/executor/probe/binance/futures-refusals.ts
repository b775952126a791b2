import { add, divide } from '@tripline/proto/decimal'
import { futuresCodes } from '../../src/venue/binance/codes.ts'
import { type Answer, summaryOf } from '../exchange.ts'
import { rowsAt, textAt } from '../json-text.ts'
import type { Step } from '../run-context.ts'
import { type FuturesRun, farLimit, postOrder, read } from './futures-run.ts'

async function signingStep(run: FuturesRun): Promise<void> {
  const { judge, line, wire } = run
  const wrong = await wire.ask(
    'refusal',
    'GET',
    '/fapi/v1/openOrders',
    { symbol: line.symbol },
    { signed: 'wrong' },
  )
  judge.check('signature.wrong', wrong.code === -1022, summaryOf(wrong))
  const id = run.newId()
  run.note(id)
  const fields = { symbol: line.symbol, side: 'BUY', newClientOrderId: id, ...farLimit(run, 'GTX') }
  const late = await wire.ask('order.post', 'POST', '/fapi/v1/order', fields, { earlierMs: 10_000 })
  const found = await read(run, 'order.get', 'v1/order', { origClientOrderId: id })
  judge.check(
    'window.checked',
    late.code === -1021 && found.code === -2013,
    `${summaryOf(late)}; GET: ${summaryOf(found)}`,
  )
}

/** Sets what is so already. */
async function settingsStep(run: FuturesRun): Promise<void> {
  const { judge, line, wire } = run
  const { json } = await read(run, 'symbolConfig', 'v1/symbolConfig')
  const [config] = rowsAt(json)
  const marginType = textAt(config, 'marginType') === 'ISOLATED' ? 'ISOLATED' : 'CROSSED'
  const { symbol } = line
  const margin = await wire.ask('marginType', 'POST', '/fapi/v1/marginType', { symbol, marginType })
  judge.check('margin.same', margin.code === -4046 || margin.code === -4067, summaryOf(margin))
  const mode = await wire.ask('positionSide', 'POST', '/fapi/v1/positionSide/dual', {
    dualSidePosition: 'false',
  })
  judge.check('mode.same', mode.code === -4059, summaryOf(mode))
  const leverage = textAt(config, 'leverage')
  const set = await wire.ask('leverage', 'POST', '/fapi/v1/leverage', { symbol, leverage })
  judge.check('leverage.same', textAt(set.json, 'leverage') === leverage, summaryOf(set))
  await read(run, 'accountConfig', 'v1/accountConfig')
}

async function absentStep(run: FuturesRun): Promise<void> {
  const { judge, line, wire } = run
  const never = run.newId()
  const found = await read(run, 'order.get', 'v1/order', { origClientOrderId: never })
  judge.check('absent.order', found.code === -2013, summaryOf(found))
  const named = { symbol: line.symbol, origClientOrderId: never }
  const canceled = await wire.ask('order.delete', 'DELETE', '/fapi/v1/order', named)
  judge.check('absent.cancel', canceled.code === -2011, summaryOf(canceled))
  const algo = await read(run, 'algo.get.absent', 'v1/algoOrder', { clientAlgoId: never })
  judge.check('absent.algo', algo.code === -2013, summaryOf(algo))
}

async function refusalsStep(run: FuturesRun): Promise<void> {
  const { judge, size, rules } = run
  const { quantity, tooSmall, farBuy, taking } = size
  const limit = farLimit(run, 'GTX')
  if (tooSmall === undefined) judge.skip('refused.value', 'the least lot is worth more than the least value')
  else {
    const small = await postOrder(run, run.newId(), 'BUY', { ...limit, quantity: tooSmall })
    judge.check('refused.value', meaning(small) === 'E504', summaryOf(small))
  }
  const between = add(farBuy, divide(rules.priceTick, '2'))
  const tick = await postOrder(run, run.newId(), 'BUY', { ...limit, price: between })
  judge.check(
    'refused.tick',
    ['E508', 'E501'].includes(meaning(tick)) || tick.code === -1111,
    summaryOf(tick),
  )
  const reducing = { type: 'MARKET', quantity, reduceOnly: 'true' }
  const reduce = await postOrder(run, run.newId(), 'SELL', reducing)
  judge.check('refused.reduce', meaning(reduce) === 'E510', summaryOf(reduce))
  const maker = await postOrder(run, run.newId(), 'BUY', { ...limit, price: taking })
  judge.check('refused.maker', meaning(maker) === 'E509', summaryOf(maker))
  const trigger = await postAlgoAt(run, farBuy)
  judge.check('refused.trigger', meaning(trigger) === 'E507', summaryOf(trigger))
}

// A stop to buy triggers from below: far below the market it is there already.
async function postAlgoAt(run: FuturesRun, triggerPrice: string): Promise<Answer> {
  const clientAlgoId = run.newId()
  run.note(clientAlgoId)
  return await run.wire.ask('algo.post', 'POST', '/fapi/v1/algoOrder', {
    ...{ algoType: 'CONDITIONAL', symbol: run.line.symbol, side: 'BUY', type: 'STOP_MARKET', clientAlgoId },
    ...{ quantity: run.size.quantity, triggerPrice, workingType: 'CONTRACT_PRICE' },
  })
}

function meaning({ code, status }: Answer): string {
  return code === undefined || code === 0 ? '' : futuresCodes.meaningOf({ code, text: '', status }).code
}

/** Steps that change nothing: wrong signatures, equal settings, orders that never were or are refused. */
export const refusalSteps: readonly Step<FuturesRun>[] = [
  { name: 'signing', run: signingStep },
  { name: 'settings', run: settingsStep },
  { name: 'absent', run: absentStep },
  { name: 'refusals', run: refusalsStep },
]
