import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { absolute } from '@tripline/proto/decimal'
import { type PaperAccount, type PinnedPrices, paperControl } from '@tripline/testkit/paper-control'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'
import { crash, journal } from './crash.ts'

const around = { bid: '59999.9', ask: '60000.1', mark: '60000' }
const atProfit = { bid: '62000.2', ask: '62000.3', mark: '62000' }

describe('an executor that is killed in the middle of an alert', () => {
  let product: Product
  let trader: Trader
  let apiKey: string

  beforeAll(async () => {
    product = await startProduct({ ephemeral: true })
    trader = await newTrader(product)
    await pinPrices(around)
    await trader.send('MyBot(BTCUSDT) { market(buy, 0.01); market(position=0) }')
    apiKey = await waitFor(async () => (await journal(product))[0]?.apiKey)
  }, 90_000)
  beforeEach(async () => {
    await pinPrices(around)
    await product.stopService('executor')
  })
  afterAll(async () => await product.stop())

  const protectedEntry = 'market(buy, 0.02); oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }'

  test.each([
    ['the entry is filled and its protection not yet sent', 'signed', '00100'],
    ['one leg of a watched pair is sent and the other is not', 'signed', '00110'],
    ['both legs are sent and neither was reported', 'answered', '00110'],
  ])(
    'when %s: every leg is there once, and one ends the other',
    async (_name, moment, place) => {
      const alertId = await send(protectedEntry)
      await crash(product, moment, place)
      await product.restart('executor')
      await expectSuccess(alertId)
      expect(await placed(alertId)).toEqual(['00000', '00100', '00110'])
      const { openOrders, positions } = await account()
      expect(openOrders.map(({ clientOrderId }) => clientOrderId.slice(-5)).toSorted()).toEqual([
        '00100',
        '00110',
      ])
      expect(positions.map(({ quantity }) => absolute(quantity))).toEqual(['0.02'])
      await pinPrices(atProfit)
      await expectFlat()
    },
    90_000,
  )

  test('when an entry is filled and the stop behind it is not yet sent: the stop is there, once', async () => {
    const alertId = await send('market(buy, 0.02); stop(sell, 100%, 58000)')
    await crash(product, 'signed', '00100')
    await product.restart('executor')
    await expectSuccess(alertId)
    expect(await placed(alertId)).toEqual(['00000', '00100'])
    const { openOrders } = await account()
    expect(openOrders.map(({ quantity }) => absolute(quantity))).toEqual(['0.02'])
    await expectSuccess(await send('cancel; market(position=0)'))
    await expectFlat()
  }, 90_000)

  test.each([
    ['a wait has begun', 'waiting', undefined],
    ['a wait is over and what follows is not yet sent', 'signed', '00200'],
  ])(
    'when %s: the rest runs once',
    async (_name, moment, place) => {
      const alertId = await send('market(buy, 0.01); wait(5); market(sell, 0.01)')
      await crash(product, moment, place)
      await product.restart('executor')
      await expectSuccess(alertId)
      expect(await placed(alertId)).toEqual(['00000', '00200'])
      await expectFlat()
    },
    90_000,
  )

  test.each([
    ['about to be taken back', 'withdrawn', ''],
    ['taken back and its coins are not yet sold', 'signed', '00000'],
  ])(
    'when a stop that locks the coins of a sale is %s: they are sold, once, and nothing waits',
    async (_name, moment, place) => {
      await product.restart('executor')
      await trader.linkPaperBot(`Spot-${moment}`, 'spot')
      const open = 'market(buy, 600$); stop(sell, 100%, 58000)'
      await waitFor(
        async () => (await trader.send(`Spot-${moment}(BTCUSDT) { ${open} }`)).body['status'] === 'success',
      )
      const spotKey = (await journal(product)).at(-1)?.apiKey ?? ''
      const bitcoins = async () => (await account(spotKey)).balances['BTC'] ?? '0'
      expect(Number(await bitcoins())).toBeGreaterThan(0)
      await product.stopService('executor')
      const alertId = await send('market(sell, 100%)', `Spot-${moment}`)
      await crash(product, moment, place)
      await product.restart('executor')
      await expectSuccess(alertId)
      expect(await placed(alertId)).toEqual(['00000'])
      expect(Number(await bitcoins())).toBeLessThan(0.00001)
      expect((await account(spotKey)).openOrders).toEqual([])
    },
    90_000,
  )

  async function send(commands: string, label = 'MyBot'): Promise<string> {
    const { status, body } = await trader.send(`${label}(BTCUSDT) { ${commands} }`, '?wait=1')
    expect([200, 202]).toContain(status)
    return z.string().parse(body['alert_id'])
  }

  async function expectSuccess(alertId: string): Promise<void> {
    await waitFor(
      async () => {
        const rows = await trader.executions()
        return rows.find((row) => row.alert_id === alertId)?.overall_status === 'success'
      },
      { deadlineMs: 60_000 },
    )
  }

  /** The places of the alert's orders, in the order in which the exchange accepted them. */
  async function placed(alertId: string): Promise<string[]> {
    return (await journal(product)).flatMap(({ op, clientOrderId, outcome }) =>
      op === 'place' && outcome === 'accepted' && clientOrderId?.slice(1, 27) === alertId
        ? [clientOrderId.slice(27)]
        : [],
    )
  }

  async function expectFlat(): Promise<void> {
    await waitFor(
      async () => {
        const { openOrders, positions } = await account()
        return openOrders.length === 0 && positions.length === 0
      },
      { deadlineMs: 30_000 },
    )
  }

  async function account(key = apiKey): Promise<PaperAccount> {
    return await paperControl(product.urls.paper).account(key)
  }

  async function pinPrices(prices: PinnedPrices): Promise<void> {
    await paperControl(product.urls.paper).pinPrices('BTCUSDT', prices)
  }
})
