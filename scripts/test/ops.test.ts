import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { UserId } from '@tripline/proto/id'
import { getUserTrading, updateUserTrading } from '@tripline/proto/key-request'
import type { TradingState } from '@tripline/proto/user-config'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { waitUntil } from '@tripline/testkit/wait-until'
import { buildRig } from '../../services/executor/test/rig.ts'
import { keysFixture } from '../../services/keys/test/keys-fixture.ts'
import { drain } from '../ops/drain.ts'
import { notePausing, noteResumed, readPaused } from '../ops/pause-file.ts'
import { describeStatus, readStatus } from '../ops/status.ts'
import { type Paused, pauseAll, resumeAll } from '../ops/trading.ts'

const patience = { deadlineMs: 30_000 }

describe('a lease', () => {
  test('is listed by executor, and goes to the others when one is drained', async () => {
    const rig = await buildRig()
    try {
      await rig.startExecutor()
      const first = await rig.leaseOwner()
      const executors = async () => (await readStatus(rig.ops, Date.now())).executors
      expect(await executors()).toMatchObject([{ owner: first, partitions: 64 }])
      await expect(drain(rig.ops, String(first), false)).rejects.toThrow('Nobody else would run alerts')
      await rig.startExecutor()
      // The other has to be seen first.
      const others = await waitUntil(async () => {
        await drain(rig.ops, String(first), false).catch(() => undefined)
        const now = await readStatus(rig.ops, Date.now())
        return now.free === 0 && now.executors.every(({ owner }) => owner !== first) && now
      }, patience)
      expect(others.executors).toHaveLength(1)
      expect(describeStatus(others)).toContain('64 partitions')
      expect(await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))).toMatchObject({
        status: 'success',
      })
      const last = String(await rig.leaseOwner())
      expect(last).toBe(others.executors[0]?.owner)
      await drain(rig.ops, last, true)
      expect(await readStatus(rig.ops, Date.now())).toMatchObject({ executors: [], free: 64 })
      await rig.ops.manager.consumers.delete('EVENTS', 'to-history')
      const without = await readStatus(rig.ops, Date.now())
      expect(without.gone).toEqual(['to-history'])
      expect(describeStatus(without)).toContain('to-history is gone')
    } finally {
      await rig.stop()
    }
  })
})

describe('pausing everybody', () => {
  let keys: Awaited<ReturnType<typeof keysFixture>>
  let ada: UserId
  let bob: UserId
  let cy: UserId
  const set = async (userId: UserId, state: TradingState): Promise<unknown> =>
    await sendRequest(keys.gateway, updateUserTrading, { userId, state })
  const states = async (): Promise<TradingState[]> =>
    await Promise.all(
      [ada, bob, cy].map(
        async (userId) => (await sendRequest(keys.gateway, getUserTrading, { userId })).state,
      ),
    )

  beforeEach(async () => {
    keys = await keysFixture()
    await keys.start()
    ;[ada, bob, cy] = [newUser(), newUser(), newUser()]
    await set(ada, 'active')
    await set(bob, 'halted')
    await set(cy, 'active')
  })
  afterEach(async () => await keys.stop())

  test('lets nobody do more than before, and can be taken back', async () => {
    const paused: Paused[] = []
    await pauseAll(keys.ops, 'reducing', (one) => paused.push(one))
    expect(await states()).toEqual(['reducing', 'halted', 'reducing'])
    await set(cy, 'halted')
    expect(await resumeAll(keys.ops, paused)).toBe(1)
    expect(await states()).toEqual(['active', 'halted', 'halted'])
  })

  test('twice, first less and then not at all, is taken back wholly', async () => {
    const paused: Paused[] = []
    await pauseAll(keys.ops, 'reducing', (one) => paused.push(one))
    await pauseAll(keys.ops, 'halted', (one) => paused.push(one))
    expect(await states()).toEqual(['halted', 'halted', 'halted'])
    expect(await resumeAll(keys.ops, paused)).toBe(2)
    expect(await states()).toEqual(['active', 'halted', 'active'])
  })

  test('again with a file that was resumed leaves alone the states that users chose themselves since', async () => {
    const { folder, remove } = await temporaryFolder()
    try {
      const file = path.join(folder, 'paused.jsonl')
      await pauseAll(keys.ops, 'reducing', (one) => notePausing(file, one))
      expect(await resumeAll(keys.ops, readPaused(file))).toBe(2)
      noteResumed(file, Date.now())
      await set(ada, 'reducing')
      await pauseAll(keys.ops, 'halted', (one) => notePausing(file, one))
      await resumeAll(keys.ops, readPaused(file))
      expect(await states()).toEqual(['reducing', 'halted', 'active'])
    } finally {
      await remove()
    }
  })

  test('changes nobody of whom it could not be noted before how they traded', async () => {
    const full = new Error('no space is left')
    const pausing = pauseAll(keys.ops, 'halted', () => {
      throw full
    })
    await expect(pausing).rejects.toBe(full)
    expect(await states()).toEqual(['active', 'halted', 'active'])
  })
})

function newUser(): UserId {
  return UserId.parse(randomUUID())
}
