import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { openDatabase } from '@tripline/kit/postgres'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { openBusMarkStore } from '../src/store/bus-mark-store.ts'
import type { Tables } from '../src/store/database.ts'
import { buildRig, type Rig } from './rig.ts'

let rig: Rig

beforeEach(async () => {
  rig = await buildRig()
})
afterEach(async () => await rig.stop())

const entry = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

test.each(['ALERTS', 'EVENTS', 'KV_leases', 'KV_progress'])(
  'once %s, which somebody deleted, is made again, alerts are executed, and none twice',
  async (stream) => {
    await rig.startExecutor()
    const before = await rig.send(entry)
    await rig.resultOf(before)
    await rig.noAlertsWait()
    await rig.ops.manager.streams.delete(stream)
    await ensureStreams(rig.ops, { replicas: 1 })
    const db = openDatabase<Tables>(rig.config.DATABASE_URL, 'executor', testLog('marks'))
    const generation = async () => (await openBusMarkStore(db).read()).generation
    await waitFor(async () => (await generation()).number === 1, { deadlineMs: 60_000 })
    expect((await generation()).losses).toEqual({ [stream]: 'made anew' })
    const { cameBackUntil } = await generation()
    await db.destroy()
    // Alerts that are stored until then count as come back.
    await waitFor(() => Date.now() > cameBackUntil)
    // An owner whose lease is gone ends itself: its successor is another process.
    if (stream === 'KV_leases') await rig.startExecutor()
    const after = await rig.send(entry)
    await rig.resultOf(after)
    await rig.noAlertsWait()
    const journal = await rig.paper.journal()
    expect(journal.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(2)
  },
)
