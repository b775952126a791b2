import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'

const aheadMs = 600_000

let rig: Rig
beforeAll(async () => {
  rig = await buildRig()
  await rig.paper.addFault({ match: {}, action: 'clock-skew', ms: aheadMs })
  await rig.startExecutor()
})
afterAll(async () => await rig.stop())

/** Returns flight and result of an alert's only command. */
async function flown(command: string) {
  const alertId = await rig.send(`MyBot(BTCUSDT) { ${command} }`)
  const events = await rig.eventsOf(alertId, 'execution.finished')
  const finished = events.find((event) => event.kind === 'command.finished')
  return { flight: finished?.flight, result: finished?.outcome.result }
}

test('an order reports every moment of its way, the venue’s own among them, and its cost', async () => {
  const { flight, result } = await flown('market(buy, 600$)')
  expect(result).toMatchObject({
    status: 'filled',
    reference_price: expect.any(String),
    reference_kind: 'sized',
    slippage_percent: expect.any(String),
  })
  const { receivedAt, durableAt, pickedUpAt, resolvedAt, sentAt, acknowledgedAt, filledAt } = flight ?? {}
  const moments = [receivedAt, durableAt, pickedUpAt, resolvedAt, sentAt, acknowledgedAt, filledAt]
  expect(moments).toEqual(moments.map(() => expect.any(Number)))
  // The clocks' difference is reported, so that the venue's own time can be read beside ours.
  expect(flight).toMatchObject({ venueAt: expect.any(Number), clockAheadMs: expect.any(Number) })
  expect(flight?.clockAheadMs).toBeGreaterThan(aheadMs / 2)
})

test('orders that nothing was read for are compared with a quote of the same second, once there is one', async () => {
  // Nobody waits for a quote, so the first orders may be done before it comes.
  const orders = Array.from({ length: 8 }, () => 'market(buy, 0.01)').join('; ')
  const compared = await waitFor(async () => {
    const sent = await Promise.all(Array.from({ length: 20 }, () => rig.send(`MyBot(BTCUSDT) { ${orders} }`)))
    const results = await Promise.all(sent.map(async (alertId) => await rig.resultOf(alertId)))
    return results
      .flatMap((result) => (result.outcome === 'executed' ? result.executions : []))
      .flatMap(({ commands }) => commands.map(({ result }) => result))
      .find((result) => result !== null && 'reference_price' in result)
  })
  expect(compared).toMatchObject({
    status: 'filled',
    reference_price: expect.any(String),
    reference_kind: expect.stringMatching(/^(before|after)$/),
    slippage_percent: expect.any(String),
  })
})
