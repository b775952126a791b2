import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AlertResult } from '@tripline/proto/alert'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'

/** The refusal of a group that is to buy on spot, whatever is behind it. */
const groupsThatBuy = 'E404'

describe.each([
  ['paper', 'futures', 'market(buy, 0.01)', true],
  ['binance', 'spot', 'market(buy, 600$)', true],
  ['bybit', 'futures', 'market(buy, 0.01)', true],
  ['bybit', 'spot', 'market(buy, 600$)', false],
] as const)('at %s %s', (exchange, marketType, entry, isAccountKnown) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange, marketType }, balances: { USDT: '100000' } })
    await rig.startExecutor()
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000', mark: '60000' })
  })
  afterAll(async () => await rig.stop())

  const run = async (commands: string): Promise<AlertResult> =>
    await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))

  test('an entry whose stop would trigger at once is not bought, once market and account are known', async () => {
    const message = `${entry}; stop(sell, 100%, 61000)`
    const refused = await waitFor(
      async () => {
        const alertId = await rig.send(`MyBot(BTCUSDT) { ${message} }`)
        const result = await rig.resultOf(alertId)
        if (result.outcome === 'refused') return result
        // Nothing was known yet: it is judged on the account, which is read for it.
        const commands = [{ status: 'failed', errorCode: 'E507' }, { status: 'skipped' }]
        expect(result).toMatchObject({ status: 'failed', executions: [{ commands }] })
        return undefined
      },
      { deadlineMs: 60_000 },
    )
    const text = expect.stringContaining('would trigger at once: it must be below the market')
    expect(refused.diagnostics).toEqual([{ code: 'E507', message: text, block: 0, command: 1 }])
    const events = await rig.eventsOf(refused.alertId, 'alert.refused')
    expect(events).toMatchObject([{ kind: 'alert.refused', errorCode: 'E507', error: text, label: 'MyBot' }])
    expect(await rig.paper.journal()).toEqual([])
    expect(await run(`${entry}; stop(sell, 100%, 58000)`)).toMatchObject({ status: 'success' })
  })

  test('a group that enters is not placed where the command behind it would be refused', async () => {
    await rig.paper.pinPrices('ETHUSDT', { bid: '2999.99', ask: '3000', mark: '3000' })
    const group = 'oco { stop(buy, 10%, 3090); limit(buy, 10%, 2900) }'
    const message = `MyBot(ETHUSDT) { ${group}; stop(sell, 0.2, 3100) }`
    const result = await rig.resultOf(await rig.send(message))
    // The account was not known yet: it is read, and the group not sent.
    const errorCode = marketType === 'spot' ? groupsThatBuy : 'E507'
    const commands = [{ status: 'failed', errorCode }, { status: 'skipped' }]
    expect(result).toMatchObject({ status: 'failed', executions: [{ commands }] })
    const { openOrders } = await rig.account()
    expect(openOrders.filter(({ symbol }) => symbol === 'ETHUSDT')).toEqual([])
  })

  test('an entry of a written size is not bought where one behind it hangs on the account, and a stop is wrong', async () => {
    await rig.paper.pinPrices('SOLUSDT', { bid: '149.99', ask: '150', mark: '150' })
    const before = (await rig.paper.journal()).length
    const message = 'MyBot(SOLUSDT) { market(buy, 300$); market(buy, 10%); stop(sell, 100%, 160) }'
    const result = await rig.resultOf(await rig.send(message))
    // Nothing was known of the market: the account is read, with all that its orders are sized by.
    const commands = [{ status: 'failed', errorCode: 'E507' }, { status: 'skipped' }, { status: 'skipped' }]
    expect(result).toMatchObject({ status: 'failed', executions: [{ commands }] })
    expect((await rig.paper.journal()).slice(before)).toEqual([])
  })

  test('an entry that waits is not placed where the order behind it has nothing to protect', async () => {
    const message = `MyBot(BTCUSDT) { limit(buy, 50%, 59000); stop(sell, 100%p, 58000) }`
    await run('cancel; market(position=0)')
    const [planned] = await rig.plan(message)
    expect(planned).toMatchObject({
      outcome: 'refused',
      error_code: 'E505',
      commands: [{ outcome: 'skipped' }, { outcome: 'refused', error_code: 'E505' }],
    })
    if (isAccountKnown) {
      const refused = await waitFor(
        async () => {
          const result = await rig.resultOf(await rig.send(message))
          if (result.outcome === 'refused') return result
          // The account was not known yet: it is read, and the entry not sent.
          expect(result).toMatchObject({ status: 'failed' })
          return undefined
        },
        { deadlineMs: 60_000 },
      )
      expect(refused.diagnostics).toMatchObject([{ code: 'E505', block: 0, command: 1 }])
    } else {
      const result = await rig.resultOf(await rig.send(message))
      const commands = [{ status: 'failed', errorCode: 'E505' }, { status: 'skipped' }]
      expect(result).toMatchObject({ status: 'failed', executions: [{ commands }] })
    }
    expect((await rig.account()).openOrders).toEqual([])
  })

  test('the preview says so of every block', async () => {
    const [first, second] = await rig.plan(
      `MyBot(ETHUSDT) { balance } MyBot(BTCUSDT) { ${entry}; stop(sell, 100%, 61000) }`,
    )
    expect(first).toMatchObject({
      outcome: 'refused',
      error_code: 'E507',
      error: 'Nothing runs: MyBot(BTCUSDT) is refused',
    })
    expect(second).toMatchObject({
      outcome: 'refused',
      error_code: 'E507',
      error: expect.stringContaining('would trigger at once'),
      commands: [{ outcome: 'skipped' }, { outcome: 'refused', error_code: 'E507' }],
    })
  })
})
