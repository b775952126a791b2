import { describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { absenceCountsAfterSending } from '../src/domain/order/doubt.ts'
import { runningRig } from './rig-of-test.ts'

describe('an executor on a paper exchange', () => {
  const rig = runningRig()

  test('a market order is placed once and its result reported', async () => {
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    const result = await rig.resultOf(alertId)
    expect(result).toMatchObject({
      outcome: 'executed',
      status: 'success',
      executions: [
        {
          label: 'MyBot',
          symbol: 'BTCUSDT',
          commands: [
            {
              command: 'market',
              status: 'success',
              result: {
                side: 'buy',
                amount: '0.01',
                // Answers write zeros at the end of a number, events do not.
                filled: '0.01',
                status: 'filled',
                client_order_id: `t${alertId}00000`,
              },
            },
          ],
        },
      ],
    })
    const journal = await rig.paper.journal()
    expect(journal.map(({ clientOrderId, outcome }) => ({ clientOrderId, outcome }))).toEqual([
      { clientOrderId: `t${alertId}00000`, outcome: 'accepted' },
    ])
  })

  test('its events are stored in the order of the contract', async () => {
    const alertId = await rig.send('MyBot(ETHUSDT) { market(buy, 0.1) }')
    await rig.resultOf(alertId)
    const kinds = await rig.eventsOf(alertId, 'execution.finished')
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'execution.received',
      'command.started',
      'order.sent',
      'order.acknowledged',
      'command.finished',
      'execution.finished',
    ])
  })

  test('the alert is deleted from its stream once its events are stored', async () => {
    const alertId = await rig.send('MyBot(ETHUSDT) { market(sell, 0.1) }')
    await rig.resultOf(alertId)
    await rig.noAlertsWait()
  })

  test('alerts of one market run in the order of their stream', async () => {
    const ids = []
    for (let index = 0; index < 20; index++) ids.push(await rig.send('MyBot(SOLUSDT) { market(buy, 1) }'))
    await Promise.all(ids.map(async (id) => await rig.resultOf(id)))
    const journal = await rig.paper.journal()
    const placed = journal
      .filter(({ symbol }) => symbol === 'SOLUSDT')
      .map(({ clientOrderId }) => clientOrderId)
    expect(placed).toEqual(ids.map((id) => `t${id}00000`))
  })

  test('a percentage of equity is sized at the price it takes', async () => {
    const alertId = await rig.send('MyBot(XRPUSDT) { market(buy, 100$) }')
    const result = await rig.resultOf(alertId)
    expect(result).toMatchObject({ status: 'success' })
  })

  test('a target of flat closes the position exactly', async () => {
    await rig.resultOf(await rig.send('MyBot(BNBUSDT) { market(buy, 1.5) }'))
    const result = await rig.resultOf(await rig.send('MyBot(BNBUSDT) { market(position=0); balance }'))
    expect(result).toMatchObject({
      status: 'success',
      executions: [
        {
          commands: [
            { result: { side: 'sell', amount: expect.stringMatching(/^1\.50?$/), reduce_only: true } },
            { result: { position: { side: 'flat' } } },
          ],
        },
      ],
    })
  })

  test('a target that is reached already needs no order', async () => {
    const result = await rig.resultOf(await rig.send('MyBot(DOGEUSDT) { market(position=0) }'))
    expect(result).toMatchObject({
      executions: [{ commands: [{ status: 'success', result: { code: 'N802' } }] }],
    })
  })

  test('a refusal of the venue fails its command and skips the rest', async () => {
    const result = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 900); balance }'))
    expect(result).toMatchObject({
      status: 'failed',
      executions: [{ commands: [{ status: 'failed' }, { status: 'skipped' }] }],
    })
  })

  test('a symbol that is not listed refuses the whole alert before anything runs', async () => {
    const before = (await rig.paper.journal()).length
    const result = await rig.resultOf(
      await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) } MyBot(BTCUSTD) { market(buy, 1) }'),
    )
    expect(result).toMatchObject({ outcome: 'refused', diagnostics: [{ code: 'E401', block: 1 }] })
    expect(await rig.paper.journal()).toHaveLength(before)
  })

  test('a command that cannot run here refuses the whole alert', async () => {
    const result = await rig.resultOf(
      await rig.send('MyBot(BTCUSDT) { market(buy, 0.01); exchangeSettings(maxOrderSize=1) }'),
    )
    expect(result).toMatchObject({ outcome: 'refused', diagnostics: [{ code: 'E404' }] })
  })

  test('an entry that is too old is not placed, an exit is', async () => {
    await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(position=0.02) }'))
    const late = { receivedAt: Date.now() - 120_000 }
    const entry = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }', late))
    const exit = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(sell, 0.01) }', late))
    expect(entry).toMatchObject({ executions: [{ commands: [{ status: 'failed', errorCode: 'E515' }] }] })
    expect(exit).toMatchObject({ executions: [{ commands: [{ status: 'success' }] }] })
  })

  test('a reducing bot places exits only', async () => {
    await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(position=0.02) }'))
    await rig.configure({ tradingState: 'reducing' })
    await waitFor(async () => {
      const probe = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { limit(buy, 0.01, 50000) }'))
      return probe.outcome === 'executed' && probe.executions[0]?.commands[0]?.errorCode === 'E516'
    })
    const entry = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
    const exit = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(sell, 0.02) }'))
    await rig.configure({ tradingState: 'active' })
    expect(entry).toMatchObject({ executions: [{ commands: [{ errorCode: 'E516' }] }] })
    expect(exit).toMatchObject({ executions: [{ commands: [{ status: 'success' }] }] })
  })
})

describe('an answer that does not come', () => {
  const rig = runningRig()

  test('an accepted order whose answer is lost is found and never sent again', async () => {
    await rig.paper.addFault({
      match: { path: '/fapi/v1/order', method: 'POST' },
      action: 'accept-then-drop',
      count: 1,
    })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    const result = await rig.resultOf(alertId)
    expect(result).toMatchObject({ status: 'success' })
    expect((await rig.paper.journal()).filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1)
  })

  test('an order that never arrived is sent again only once it can no longer arrive', async () => {
    const before = await rig.paper.journal()
    await rig.paper.addFault({ match: { path: '/fapi/v1/order', method: 'POST' }, action: 'drop', count: 1 })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    const result = await rig.resultOf(alertId)
    expect(result).toMatchObject({ status: 'success' })
    const [dropped, accepted] = (await rig.paper.journal()).slice(before.length)
    expect([dropped?.outcome, accepted?.outcome]).toEqual(['dropped', 'accepted'])
    expect(dropped?.clientOrderId).toBe(accepted?.clientOrderId)
    // From when it was signed and sent: when the exchange came to read it says nothing of how long it was good for.
    const sent = (await rig.eventsOf(alertId, 'order.sent')).find(({ kind }) => kind === 'order.sent')
    const acceptedAt = Number(accepted?.receivedNs) / 1_000_000
    expect(acceptedAt).toBeGreaterThan(absenceCountsAfterSending(sent?.at ?? Number.NaN))
  })

  test('a gateway error for an executed order is not believed', async () => {
    const before = (await rig.paper.journal()).length
    await rig.paper.addFault({
      match: { path: '/fapi/v1/order', method: 'POST' },
      action: 'accept-then-status',
      status: 503,
      count: 1,
    })
    const result = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
    expect(result).toMatchObject({ status: 'success' })
    expect((await rig.paper.journal()).slice(before)).toHaveLength(1)
  })
})
