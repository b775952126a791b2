import { afterEach, describe, expect, test } from '@jest/globals'
import { absolute } from '@tripline/proto/decimal'
import type { AlertId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig, type RigSettings } from './rig.ts'

let rig: Rig
afterEach(async () => await rig.stop())

async function begin(settings: RigSettings, commands: string): Promise<AlertId> {
  rig = await buildRig(settings)
  await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', last: '60000', mark: '60000' })
  await rig.startExecutor()
  const alertId = await rig.send(`MyBot(BTCUSDT) { ${commands} }`)
  expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  return alertId
}

async function open(): Promise<string[]> {
  const { openOrders } = await rig.account()
  return openOrders
    .filter(({ symbol }) => symbol === 'BTCUSDT')
    .map(({ side, quantity, triggerPrice, price }) =>
      `${side} ${absolute(quantity)} ${absolute(triggerPrice ?? price)}`.toLowerCase(),
    )
    .toSorted()
}

async function expectOpen(...orders: string[]): Promise<void> {
  await waitFor(async () => JSON.stringify(await open()) === JSON.stringify(orders))
}

/** Returns the texts on an alert's group, once one matches; `!` is before what a person should see. */
async function groupTexts(alertId: AlertId, text: RegExp): Promise<string[]> {
  return await waitFor(async () => {
    const texts = (await rig.eventsOf(alertId, 'execution.finished')).flatMap((event) => {
      if (event.kind === 'group.changed') return [event.text]
      return event.kind === 'command.alarm' ? [`! ${event.text}`] : []
    })
    return texts.some((each) => text.test(each)) && texts
  })
}

/** Halts the bot; settles once its group is reported. */
async function halt(alertId: AlertId): Promise<void> {
  await rig.configure({ tradingState: 'halted' })
  await groupTexts(alertId, /nothing new is sent till/)
}

/** Settles once the executor knows that the bot is paused. */
async function pause(): Promise<void> {
  await rig.configure({ tradingState: 'reducing' })
  await waitFor(async () => {
    const result = await rig.resultOf(await rig.send('MyBot(ETHUSDT) { limit(buy, 0.1, offset=10%) }'))
    return result.outcome === 'executed' && result.executions[0]?.commands[0]?.errorCode === 'E516'
  })
}

const atProfit = { bid: '62000.2', ask: '62000.3', last: '62000.2', mark: '62000' }

describe('orders of which one ends the others', () => {
  const protectedEntry = 'market(buy, 0.02); oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }'
  test('end each other also while their bot is paused', async () => {
    await begin({}, protectedEntry)
    await pause()
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await expectOpen()
    const { positions } = await rig.account()
    expect(positions.filter(({ symbol }) => symbol === 'BTCUSDT')).toEqual([])
  })

  test('end each other also while their bot is halted', async () => {
    const alertId = await begin({}, protectedEntry)
    await halt(alertId)
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await groupTexts(alertId, /is filled, the other orders are canceled/)
    await expectOpen()
    await waitFor(async () => (await rig.watched()).length === 0)
  })
})

describe('a pair of which the exchange can have one order at a time', () => {
  const spot = {
    bot: { exchange: 'bybit', marketType: 'spot' },
    balances: { USDT: '1000000', BTC: '100' },
  } as const
  const sale = 'oco { limit(sell, 0.02, 62000); stop(sell, 0.02, 58000) }'
  const purchase = 'oco { limit(buy, 0.02, 58000); stop(buy, 0.02, 62000) }'
  const atPrice = { bid: '57999.8', ask: '57999.9', last: '57999.9', mark: '58000' }

  test('takes its profit also while its bot is paused', async () => {
    const alertId = await begin(spot, sale)
    await pause()
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await groupTexts(alertId, /limit sell 0.02\d* is filled/)
    expect(await open()).toEqual([])
  })

  test('leaves its stop where its bot is halted, and takes the profit once it trades again', async () => {
    const alertId = await begin(spot, sale)
    await halt(alertId)
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await groupTexts(alertId, /^! the bot is halted, so limit sell 0.02\d* is not sent/)
    expect(await open()).toEqual(['sell 0.02 58000'])
    await rig.configure({})
    await groupTexts(alertId, /limit sell 0.02\d* is filled/)
  })

  test('buys nothing more while its bot is paused', async () => {
    const alertId = await begin(spot, purchase)
    await pause()
    await rig.paper.pinPrices('BTCUSDT', atPrice)
    await groupTexts(alertId, /^the bot only reduces positions, so limit buy 0.02\d* is not sent/)
    expect(await open()).toEqual(['buy 0.02 62000'])
    await rig.configure({})
    await groupTexts(alertId, /limit buy 0.02\d* is filled/)
  })
})
