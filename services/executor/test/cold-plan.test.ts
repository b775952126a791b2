import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AlertResult } from '@tripline/proto/alert'
import type { BlockPlan } from '@tripline/proto/plan'
import type { BotConfig } from '@tripline/proto/user-config'
import { buildRig, type Rig } from './rig.ts'
import { type SentRequests, sentRequests } from './sent-requests.ts'

/** A block of one command, and what is said of it: the code of its refusal, or those of its warnings. */
type Row = readonly [block: string, said: string]

const waitsFar = 'W707'

/** Prices of BTCUSDT are at 60000; those of ETHUSDT at 3000, where it was last traded at 500 on spot. */
const markets: readonly (Pick<BotConfig, 'exchange' | 'marketType'> & { rows: readonly Row[] })[] = [
  {
    exchange: 'binance',
    marketType: 'spot',
    rows: [
      ['(BTCUSDT) { limit(buy, 0.001, 95000) }', 'E508'],
      ['(BTCUSDT) { limit(buy, 0.001, 25000) }', waitsFar],
      ['(BTCUSDT) { limit(buy, 0.001, 11000) }', 'E508'],
      ['(BTCUSDT) { limit(sell, 0.001, 95000) }', waitsFar],
      ['(BTCUSDT) { limit(sell, 0.001, 310000) }', 'E508'],
      ['(BTCUSDT) { market(buy, 0.00005) }', 'E504'],
      ['(BTCUSDT) { market(buy, 0.001) }', ''],
      ['(ETHUSDT) { limit(buy, 0.01, 3000.01) }', 'E508'],
      ['(ETHUSDT) { market(buy, 0.005) }', 'E504'],
    ],
  },
  {
    exchange: 'bybit',
    marketType: 'spot',
    rows: [
      ['(BTCUSDT) { limit(buy, 0.001, 70000) }', 'E508'],
      ['(BTCUSDT) { limit(buy, 0.001, 25000) }', waitsFar],
      ['(BTCUSDT) { limit(sell, 0.001, 50000) }', 'E508'],
      ['(BTCUSDT) { limit(sell, 0.001, 95000) }', waitsFar],
      ['(BTCUSDT) { market(buy, 0.00005) }', 'E504'],
      ['(BTCUSDT) { market(buy, 0.001) }', ''],
    ],
  },
  {
    exchange: 'binance',
    marketType: 'futures_usdt',
    rows: [
      ['(BTCUSDT) { limit(buy, 0.01, 70000) }', 'E508'],
      ['(BTCUSDT) { limit(buy, 0.01, 25000) }', waitsFar],
      ['(BTCUSDT) { limit(sell, 0.01, 50000) }', 'E508'],
      ['(BTCUSDT) { limit(sell, 0.01, 95000) }', waitsFar],
      ['(BTCUSDT) { market(buy, 0.001) }', 'E504'],
      ['(BTCUSDT) { market(buy, 0.01) }', ''],
    ],
  },
  {
    exchange: 'bybit',
    marketType: 'futures',
    rows: [
      ['(BTCUSDT) { limit(buy, 0.01, 70000) }', 'E508'],
      ['(BTCUSDT) { limit(buy, 0.01, 25000) }', waitsFar],
      ['(BTCUSDT) { limit(sell, 0.01, 50000) }', 'E508'],
      ['(BTCUSDT) { limit(sell, 0.01, 95000) }', waitsFar],
      ['(DOGEUSDT) { market(buy, 10) }', 'E504'],
      ['(BTCUSDT) { market(buy, 0.01) }', ''],
    ],
  },
]

describe.each(markets)('at $exchange $marketType, where nothing is followed', ({ rows, ...place }) => {
  let rig: Rig
  let requests: SentRequests
  const isSpot = place.marketType === 'spot'
  const pricesAsked = (): string => requests.sent.filter((request) => request.includes('Price')).join()
  beforeAll(async () => {
    requests = sentRequests()
    const coins = isSpot && { BTC: '0.5' }
    rig = await buildRig({ bot: place, balances: { USDT: '100000', ...coins } })
    await rig.startExecutor({ connections: requests.connections })
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', last: '60000', mark: '60000' })
    await rig.paper.pinPrices('ETHUSDT', { bid: '2999.99', ask: '3000.01', last: '500', mark: '3000' })
  })
  afterAll(async () => {
    await rig.stop()
    requests.stop()
  })

  test('a preview refuses what the run refuses, and asks for the reference price alone besides', async () => {
    const previews: Row[] = []
    const asked = new Set<string>()
    for (const [block] of rows) {
      requests.sent.splice(0)
      const [plan] = await rig.plan(`MyBot${block}`)
      previews.push([block, planned(plan)])
      asked.add(pricesAsked())
    }
    expect(previews).toEqual(rows)
    expect([...asked]).toEqual([place.exchange === 'binance' && isSpot ? referencePrice : ''])
    requests.sent.splice(0)
    const runs: Row[] = []
    for (const [block] of rows) {
      const result = await rig.resultOf(await rig.send(`MyBot${block}`))
      runs.push([block, ran(result)])
    }
    expect(runs).toEqual(rows)
    expect(pricesAsked()).toBe('')
  })

  test('a preview that places nothing asks for no price of a band', async () => {
    requests.sent.splice(0)
    await rig.plan('MyBot(XRPUSDT) { balance; cancel }')
    expect(requests.sent).not.toEqual([])
    expect(pricesAsked()).toBe('')
  })
})

const referencePrice = 'GET /binance/api/v3/referencePrice'

interface Warned {
  warnings?: readonly { code: string }[] | undefined
}

function codesOf(orders: readonly Warned[]): string {
  return orders.flatMap(({ warnings = [] }) => warnings.map(({ code }) => code)).join()
}

function planned(plan: BlockPlan | undefined): string {
  const [command] = plan?.commands ?? []
  return command?.error_code ?? plan?.error_code ?? codesOf(command?.orders ?? [])
}

function ran(result: AlertResult): string {
  if (result.outcome !== 'executed') return result.outcome
  const [command] = result.executions[0]?.commands ?? []
  return command?.errorCode ?? codesOf([(command?.result ?? {}) as Warned])
}
