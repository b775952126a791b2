import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { AlertResult } from '@tripline/proto/alert'
import type { BotConfig } from '@tripline/proto/user-config'
import { waitFor } from '@tripline/testkit/wait-for'
import { differences, nineCommands, restingOrder, withoutDueLists } from './nine-commands.ts'
import { buildRig, type Rig } from './rig.ts'
import { type SentRequests, sentRequests } from './sent-requests.ts'

type BotMarket = Pick<BotConfig, 'exchange' | 'marketType'>

const futures: BotMarket[] = [
  { exchange: 'paper', marketType: 'futures' },
  { exchange: 'binance', marketType: 'futures_usdt' },
  { exchange: 'bybit', marketType: 'futures' },
  { exchange: 'okx', marketType: 'futures' },
]
const spot: BotMarket[] = [
  { exchange: 'paper', marketType: 'spot' },
  { exchange: 'binance', marketType: 'spot' },
  { exchange: 'bybit', marketType: 'spot' },
  { exchange: 'okx', marketType: 'spot' },
]

/** Commands with how many orders they leave open. */
type Row = readonly [commands: string, open: number]

const everywhere: Row[] = [
  ['market(buy, 0.01)', 0],
  ['market(buy, 900$)', 0],
  ['limit(buy, 0.01, 59000)', 1],
  ['limit(buy, 0.01, offset=1%, postOnly=yes)', 1],
  ['limit(buy, 0.01, 59000, tag=a); cancel(tag=a)', 0],
  ['limit(buy, 0.01, 59000); stop(buy, 0.01, 61000); cancel', 0],
  ['market(buy, 0.01); stop(sell, 0.01, 58000)', 1],
  ['market(buy, 0.01); stopLimit(sell, 0.01, 58000, limitPrice=57900)', 1],
  ['market(buy, 0.01); sltp(side=sell, amount=0.01, sl=58000)', 1],
  ['market(buy, 0.01); sltp(side=sell, amount=0.01, tp=62000)', 1],
  ['wait(0.2); balance', 0],
]
const onFutures: Row[] = [
  ['market(position=0.02); market(position=-0.01); market(position=0)', 0],
  ['market(sell, 0.01); stop(buy, 100%, 61000)', 1],
  ['market(buy, 0.02); sltp(amount=100%p, sl=2%, tp=3%)', 2],
  ['market(buy, 0.02); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }', 2],
  ['exchangeSettings(leverage=5); exchangeSettings(leverage=5)', 0],
]
const pair = 'market(buy, 0.01); oco { stop(sell, 0.01, 58000); limit(sell, 0.01, 62000) }'

describe.each([...futures, ...spot])('on $exchange $marketType', (place) => {
  let rig: Rig
  let requests: SentRequests
  const isSpot = place.marketType === 'spot'
  const runOn = async (symbol: string, commands: string): Promise<AlertResult> =>
    await rig.resultOf(await rig.send(`MyBot(${symbol}) { ${commands} }`))

  beforeAll(async () => {
    requests = sentRequests()
    const coins = isSpot && { BTC: '0.5', ETH: '0.5' }
    rig = await buildRig({ bot: place, balances: { USDT: '100000', ...coins } })
    await rig.startExecutor({ connections: requests.connections })
  })
  afterAll(async () => {
    await rig.stop()
    requests.stop()
  })
  // Ids of ETHUSDT have 19 digits at USDⓈ-M.
  describe.each(['BTCUSDT', 'ETHUSDT'])('%s', (symbol) => {
    const run = async (commands: string): Promise<AlertResult> => await runOn(symbol, commands)
    beforeEach(async () => {
      await rig.paper.pinPrices(symbol, { bid: '59999.9', ask: '60000.1', mark: '60000' })
      await run(isSpot ? 'cancel' : 'cancel; market(position=0)')
    })

    // An exchange without pairs has one of the two orders, and the other is held.
    const ofPair = place.exchange === 'bybit' || place.exchange === 'okx' ? 1 : 2
    const pairs: Row[] = [
      [pair, ofPair],
      ['market(buy, 0.01); sltp(sell, 0.01, sl=58000, tp=62000)', ofPair],
    ]
    const rows = [...everywhere, ...(isSpot ? pairs : onFutures)]
    test.each(rows)('%s', async (commands, expected) => {
      expect(await run(commands)).toMatchObject({ status: 'success' })
      await waitFor(async () => (await rig.account()).openOrders.length === expected)
    })

    test('a leg that is filled ends the other', async () => {
      await run(pair)
      await rig.paper.pinPrices(symbol, { bid: '62000.2', ask: '62000.3', mark: '62000' })
      await waitFor(async () => {
        const { openOrders, positions } = await rig.account()
        return openOrders.length === 0 && positions.length === 0
      })
    })

    // Nothing is followed at OKX: what rests there is asked for every other second.
    if (place.exchange !== 'okx') {
      test('an order that rests is not looked for while the stream is whole', async () => {
        // The stream is there for the account, which spot need not know, or for another order.
        await run(isSpot ? 'limit(buy, 0.01, 50000)' : 'market(position=0)')
        const asked = restingOrder(place.exchange, isSpot)
        let found: object = {}
        const hasAskedNothing = async (): Promise<boolean> => {
          requests.sent.splice(0)
          await run(asked.command)
          await run('wait(2.5)')
          const { missing, tooMuch } = differences(requests.sent.map(withoutBase), asked)
          found = { missing, tooMuch }
          await run('cancel(tag=rests)')
          return missing.length + tooMuch.length === 0
        }
        // The list of each half minute may fall into a round.
        await waitFor(hasAskedNothing, { deadlineMs: 15_000 }).catch(() => undefined)
        expect(found).toEqual({ missing: [], tooMuch: [] })
      })
    }

    test('the nine commands ask nothing that is not needed', async () => {
      // One order stays, so that the private stream does.
      await run('limit(buy, 0.01, 50000, tag=stays)')
      const asked: { command: string; status: string; missing: string[]; tooMuch: string[] }[] = []
      const begunAt = Date.now()
      for (const one of nineCommands(place.exchange, isSpot)) {
        requests.sent.splice(0)
        const result = await run(one.command)
        const status = result.outcome === 'executed' ? result.status : result.outcome
        // Requests after the result count too.
        await waitFor(() => differences(requests.sent.map(withoutBase), one).missing.length === 0, {
          deadlineMs: 3000,
        }).catch(() => undefined)
        asked.push({ command: one.command, status, ...differences(requests.sent.map(withoutBase), one) })
      }
      await run('cancel')
      const asItShould = { status: 'success', missing: [], tooMuch: [] }
      expect(withoutDueLists(asked, place.exchange, isSpot, Date.now() - begunAt)).toEqual(
        nineCommands(place.exchange, isSpot).map(({ command }) => ({ command, ...asItShould })),
      )
    })
  })
})

function withoutBase(request: string): string {
  return request.replace(/ \/(binance-futures|binance|bybit|okx)\//, ' /')
}
