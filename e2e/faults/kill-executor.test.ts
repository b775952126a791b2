import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { paperControl } from '@tripline/testkit/paper-control'
import { linkRealBot } from '@tripline/testkit/people/real-bot'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'
import { addFault, crash, journal } from './crash.ts'

describe('an executor that is killed', () => {
  let product: Product
  let trader: Trader

  beforeAll(async () => {
    product = await startProduct({ ephemeral: true })
    trader = await newTrader(product)
  }, 90_000)
  afterAll(async () => await product.stop())

  // First of all: an owner whose predecessor died is trusted so far only once a renewal said that it lives.
  test('row 6: idle, and the sale that comes at once takes back its stop at Binance spot and sells', async () => {
    await linkRealBot(product, trader.accessToken, 'Coins', { exchange: 'binance', market_type: 'spot' })
    const entry = await trader.send('Coins(BTCUSDT) { market(buy, 600$); stop(sell, 100%, 30000) }')
    expect(entry.body).toMatchObject({ status: 'success' })
    await product.kill('executor')
    const sale = await trader.send('Coins(BTCUSDT) { market(sell, 100%) }', '?wait=1')
    await product.restart('executor')
    await expectEachOnce([z.string().parse(sale.body['alert_id'])])
  }, 90_000)

  test('row 6: idle, and alerts come before the next one does', async () => {
    await product.kill('executor')
    const alerts = await sendTwo()
    await product.restart('executor')
    await expectEachOnce(alerts)
  }, 60_000)

  test.each(['checked', 'signed', 'answered', 'stored'])(
    'row 7: at the moment: %s',
    async (moment) => {
      await product.stopService('executor')
      const alerts = await sendTwo()
      await crash(product, moment)
      await product.restart('executor')
      await expectEachOnce(alerts)
    },
    60_000,
  )

  test('row 7: when the order was received and not accepted yet', async () => {
    await addFault(product, { action: 'delay', ms: 1500 })
    const live = await trader.openStream()
    const alerts = await sendTwo()
    await waitFor(() => live.events.some((event) => event.details?.phase === 'sent'))
    await product.kill('executor')
    live.stop()
    await product.restart('executor')
    await expectEachOnce(alerts)
  }, 60_000)

  test('row 7: when the order was received and lost', async () => {
    await addFault(product, { action: 'drop' })
    const seen = (await journal(product)).length
    const alerts = await sendTwo()
    await waitFor(async () =>
      (await journal(product)).slice(seen).some(({ outcome }) => outcome === 'dropped'),
    )
    await product.kill('executor')
    await product.restart('executor')
    await expectEachOnce(alerts)
  }, 60_000)

  test('row 7: when the order was accepted and the answer withheld', async () => {
    await addFault(product, { action: 'accept-then-delay', ms: 20_000 })
    await addFault(product, { match: {}, action: 'silent-stream', count: 1000 })
    const seen = (await journal(product)).length
    const alerts = await sendTwo()
    await waitFor(async () =>
      (await journal(product)).slice(seen).some(({ outcome }) => outcome === 'accepted'),
    )
    await paperControl(product.urls.paper).clearFaults()
    await product.kill('executor')
    await product.restart('executor')
    await expectEachOnce(alerts)
  }, 60_000)

  test('row 24: in order, under a stream of alerts, hands over at once', async () => {
    const alerts: string[] = []
    let restarting: Promise<void> | undefined
    for (let index = 0; index < 30; index++) {
      if (index === 10) restarting = product.restart('executor')
      const { status, body } = await trader.send(
        `MyBot(ETHUSDT) { market(${index % 2 ? 'sell' : 'buy'}, 0.1) }`,
        '?wait=1',
      )
      expect(status).toBeLessThan(300)
      alerts.push(z.string().parse(body['alert_id']))
    }
    await restarting
    await expectEachOnce(alerts)
  }, 60_000)

  /** One alert, and one more queued behind it; neither is waited for. */
  async function sendTwo(): Promise<string[]> {
    const answers = []
    for (const side of ['buy', 'sell']) {
      answers.push(await trader.send(`MyBot(BTCUSDT) { market(${side}, 0.01) }`, '?wait=1'))
    }
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    return answers.map(({ body }) => z.string().parse(body['alert_id']))
  }

  /** Every alert's order exists exactly once, in order, and the history has it. */
  async function expectEachOnce(alertIds: string[]): Promise<void> {
    await waitFor(
      async () => {
        const rows = await trader.executions(100)
        return alertIds.every((id) => rows.find((row) => row.alert_id === id)?.overall_status === 'success')
      },
      { deadlineMs: 30_000 },
    )
    const accepted = (await journal(product)).filter(({ outcome }) => outcome === 'accepted')
    const placed = accepted.flatMap(({ clientOrderId }) => {
      const alertId = clientOrderId?.slice(1, 27)
      return alertId !== undefined && alertIds.includes(alertId) ? [alertId] : []
    })
    expect(placed).toEqual(alertIds)
  }
})
