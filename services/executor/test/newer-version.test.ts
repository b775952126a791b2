import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { openBucket } from '@tripline/kit/bus/bucket'
import { connectBus, store } from '@tripline/kit/bus/bus'
import type { AlertResult } from '@tripline/proto/alert'
import { eventIdOf } from '@tripline/proto/event'
import { executionIdOf } from '@tripline/proto/id'
import { eventSubject, partitionOf } from '@tripline/proto/subject'
import type { BotConfig } from '@tripline/proto/user-config'
import { openLeaseStore } from '../src/store/lease-store.ts'
import { openMemberStore } from '../src/store/member-store.ts'
import type { Rig } from './rig.ts'
import { rigOfTest } from './rig-of-test.ts'

const rig = rigOfTest()

async function statusOf(alertId: Awaited<ReturnType<Rig['send']>>): Promise<AlertResult['outcome'] | string> {
  const result = await rig.resultOf(alertId)
  return result.outcome === 'executed' ? result.status : result.outcome
}

const entry = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

test('settings that only a newer version can read cost their bots alone, and no connection', async () => {
  const changes: boolean[] = []
  await rig.startExecutor({
    connect: async (options) => {
      const bus = await connectBus({ ...options, patienceMs: 20_000 })
      bus.onConnection((isConnected) => changes.push(isConnected))
      return bus
    },
  })
  const [config, credentials] = [
    await openBucket(rig.ops, 'config'),
    await openBucket(rig.ops, 'credentials'),
  ]
  await config.put(randomUUID(), JSON.stringify({ version: 'newer' }))
  await credentials.put(randomUUID(), 'not json')
  expect(await statusOf(await rig.send(entry))).toBe('success')
  const { send } = await rig.linkToo({ label: 'Newer', exchange: 'newer' as BotConfig['exchange'] })
  expect(await statusOf(await send('Newer(BTCUSDT) { market(buy, 0.01) }'))).toBe('refused')
  expect(await statusOf(await rig.send(entry))).toBe('success')
  expect(changes).toEqual([])
})

test('records that a newer version left of one user keep no partition from being served', async () => {
  const partition = partitionOf(rig.userId)
  const newer = JSON.stringify({ subject: { of: 'newer' }, sides: 7 })
  await (await openBucket(rig.ops, 'watches')).put(`${partition}.newer.0`, newer)
  await (await openBucket(rig.ops, 'progress')).put(`${partition}.entries.${randomUUID()}`, newer)
  await store(rig.ops, eventSubject(rig.userId, null), JSON.stringify({ kind: 'newer' }), {
    messageId: 'newer',
    attemptMs: 2000,
    deadlineMs: 20_000,
  })
  const alertId = await rig.send(entry, { isFirst: false })
  await rig.startExecutor()
  expect(await statusOf(alertId)).toBe('success')
})

test.each(['alone', 'with others'])(
  'a command that a newer version ended is not done again, in any form of its result: %s',
  async (how) => {
    const alertId = await rig.send(entry, { isFirst: false })
    const executionId = executionIdOf(alertId, 0)
    const at = Date.now()
    const event = { kind: 'command.finished', eventId: eventIdOf(executionId, 0, 'finished'), at }
    const outcome = { command: 'market', status: 'newer', result: { newer: 1 }, executionTimeMs: 1 }
    const ended = {
      ...event,
      executionId,
      exchange: 'paper_futures',
      command: 0,
      outcome: { ...outcome, errorCode: 'E605', error: 'said by a newer version' },
    }
    const payload =
      how === 'alone' ? ended : [{ kind: 'newer' }, { kind: 'command.started', newer: 1 }, ended, 7]
    const options = { messageId: event.eventId, attemptMs: 2000, deadlineMs: 20_000 }
    await store(rig.ops, eventSubject(rig.userId, null), JSON.stringify(payload), options)
    await rig.startExecutor()
    expect(await rig.resultOf(alertId)).toMatchObject({
      status: 'failed',
      executions: [{ commands: [{ error: 'said by a newer version' }] }],
    })
    expect((await rig.paper.journal()).filter(({ op }) => op === 'place')).toEqual([])
  },
)

test('leases and members are read with the fields that a newer version adds to them', async () => {
  const [leases, members] = [await openBucket(rig.ops, 'leases'), await openBucket(rig.ops, 'members')]
  await leases.put('7', JSON.stringify({ owner: 'newer', released: false, since: 1 }))
  await members.put('newer', JSON.stringify({ seenAt: 1, isTaking: false, weight: 2 }))
  expect(await (await openLeaseStore(rig.ops)).read(7)).toMatchObject({ owner: 'newer', isReleased: false })
  const seen: unknown[] = []
  const stop = await (await openMemberStore(rig.ops)).watch((member, beat) => seen.push([member, beat]))
  stop()
  expect(seen).toEqual([['newer', { seenAt: 1, isTaking: false, drifts: 0 }]])
})
