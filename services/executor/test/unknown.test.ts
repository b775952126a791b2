import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { HttpService } from '@tripline/kit/lifecycle'
import { waitFor } from '@tripline/testkit/wait-for'
import type { VenuePool } from '../src/venue/pool.ts'
import { buildRig, type Rig } from './rig.ts'

let rig: Rig
let executor: HttpService
const asked = { isSilent: true }
beforeAll(async () => {
  rig = await buildRig()
  executor = await rig.startExecutor({ decoratePool: silent })
})
afterAll(async () => await rig.stop())

/** The pool at a venue that shows no order for as long as it is silent. */
function silent(pool: VenuePool): VenuePool {
  return {
    ...pool,
    client: (botId) => {
      const client = pool.client(botId)
      if (client === undefined) return undefined
      const { venue } = client
      const lookUp: typeof venue.lookUp = async (ref) =>
        asked.isSilent ? { outcome: 'unreachable', cause: 'no answer' } : await venue.lookUp(ref)
      return { ...client, venue: { ...venue, lookUp } }
    },
  }
}

test('an order that is long unknown is reported, lets exits pass, and nothing else', async () => {
  await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.02) }'))
  const fault = { match: { path: '/fapi/v1/order', method: 'POST' }, action: 'accept-then-drop', count: 1 }
  await rig.paper.addFault(fault)
  // The private stream of an account that trades would report it.
  await rig.paper.addFault({ match: { wire: 'binance-futures' }, action: 'silent-stream' })
  const lost = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  await rig.eventsOf(lost, 'command.unknown')
  // An exit passes no entry that came before it: that would buy again behind it.
  const exit = await rig.send('MyBot(BTCUSDT) { market(position=0) }')
  const entry = await rig.send('MyBot(BTCUSDT) { market(buy, 0.03) }')
  expect(await rig.resultOf(exit)).toMatchObject({ status: 'success' })
  const alarms = (await rig.eventsOf(lost, 'command.alarm')).filter(({ kind }) => kind === 'command.alarm')
  expect(alarms).toMatchObject([{ code: 'E602' }])
  const metrics = await figures()
  expect(metrics.get('tripline_unknown_orders')).toBe(1)
  expect(metrics.get('tripline_unknown_order_age_seconds')).toBeGreaterThanOrEqual(15)
  expect(metrics.get('tripline_lanes_waiting')).toBe(1)
  expect(metrics.get('tripline_partitions_held')).toBe(64)
  asked.isSilent = false
  expect(await rig.resultOf(lost)).toMatchObject({ status: 'success' })
  expect(await rig.resultOf(entry)).toMatchObject({ status: 'success' })
  await waitFor(async () => (await figures()).get('tripline_unknown_orders') === 0)
  const placed = (await rig.paper.journal()).map(({ clientOrderId }) => clientOrderId?.slice(1, 27))
  expect(placed.slice(1)).toEqual([lost, exit, entry])
}, 120_000)

/** Returns the executor's metrics without labels of their own. */
async function figures(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${executor.port}/metrics`)).text()
  const lines = text.matchAll(/^(\w+)\{process="executor"\} (\S+)$/gm)
  return new Map([...lines].map(([, name = '', value]) => [name, Number(value)]))
}
