import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { VenuePool } from '../src/venue/pool.ts'
import { buildRig, type Rig } from './rig.ts'

let rig: Rig
const asked = { isSilent: true }
beforeAll(async () => {
  rig = await buildRig()
  await rig.startExecutor({ decoratePool: silent })
}, 60_000)
afterAll(async () => await rig.stop())

/** The pool at a venue that tells of no order for as long as it is silent. */
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

test('an order that is long unknown is told of, lets exits pass, and nothing else', async () => {
  await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.02) }'))
  const fault = { match: { path: '/fapi/v1/order', method: 'POST' }, action: 'accept-then-drop', count: 1 }
  await rig.paper.addFault(fault)
  const lost = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  await rig.eventsOf(lost, 'command.unknown')
  const entry = await rig.send('MyBot(BTCUSDT) { market(buy, 0.03) }')
  const exit = await rig.send('MyBot(BTCUSDT) { market(position=0) }')
  expect(await rig.resultOf(exit)).toMatchObject({ status: 'success' })
  const alarms = (await rig.eventsOf(lost, 'command.alarm')).filter(({ kind }) => kind === 'command.alarm')
  expect(alarms).toMatchObject([{ code: 'E602' }])
  asked.isSilent = false
  expect(await rig.resultOf(lost)).toMatchObject({ status: 'success' })
  expect(await rig.resultOf(entry)).toMatchObject({ status: 'success' })
  const placed = (await rig.paper.journal()).map(({ clientOrderId }) => clientOrderId?.slice(1, 27))
  expect(placed.slice(1)).toEqual([lost, exit, entry])
}, 120_000)
