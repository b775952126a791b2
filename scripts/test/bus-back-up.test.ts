import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { store } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import type { AlertId } from '@tripline/proto/id'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { waitUntil } from '@tripline/testkit/wait-until'
import { readRestoredMark } from '../../services/executor/src/store/restored-mark.ts'
import { buildRig, type Rig } from '../../services/executor/test/rig.ts'
import { backUpBus, restoreBus } from '../ops/bus-back-up.ts'

let rig: Rig
let scratch: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string

beforeEach(async () => {
  rig = await buildRig()
  scratch = await temporaryFolder()
  folder = path.join(scratch.folder, 'back-up')
})
afterEach(async () => {
  await rig.stop()
  await scratch.remove()
})

/** Loses everything on the bus but what keys publishes again, and makes it anew, empty. */
async function loseBus(): Promise<void> {
  for (const name of ['ALERTS', 'EVENTS', 'KV_leases', 'KV_members', 'KV_progress', 'KV_watches'])
    await rig.ops.manager.streams.delete(name)
  await ensureStreams(rig.ops, { replicas: 1 })
}

async function accepted(): Promise<string[]> {
  const journal = await rig.paper.journal()
  return journal.flatMap(({ outcome, clientOrderId }) =>
    outcome === 'accepted' ? [clientOrderId ?? ''] : [],
  )
}

/** Returns the ends of an alert's commands, by its events. */
async function endsOf(alertId: AlertId): Promise<string[]> {
  const events = await rig.eventsOf(alertId, 'execution.finished')
  return events.flatMap((event) =>
    event.kind === 'command.finished'
      ? [`${event.outcome.status} ${event.outcome.errorCode ?? ''}`.trim()]
      : [],
  )
}

test('alerts after a back-up are found again, and no order is placed twice', async () => {
  const single = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  const behind = await rig.send('MyBot(BTCUSDT) { market(position=0.01); market(buy, 0.01) }')
  const group = await rig.send('MyBot(BTCUSDT) { oco { stop(sell, 0.01, -5%); limit(sell, 0.01, +5%) } }')
  const contents = await backUpBus(rig.ops, folder, Date.now())
  expect(contents.streams.map(({ config, state }) => [config.name, state.messages])).toEqual([
    ['ALERTS', 3],
    ['KV_progress', 0],
    ['KV_watches', 0],
    ['EVENTS', 0],
  ])
  const first = await rig.startExecutor()
  await rig.noAlertsWait()
  expect([await endsOf(single), await endsOf(behind), await endsOf(group)]).toEqual([
    ['success'],
    ['success', 'success'],
    ['success'],
  ])
  const before = await accepted()
  expect(before).toHaveLength(4)
  await first.stop()

  await loseBus()
  await restoreBus(rig.ops, folder)
  await rig.startExecutor()
  expect(await endsOf(single)).toEqual(['success'])
  // The first command had nothing to do, which nothing at the exchange shows.
  expect(await endsOf(behind)).toEqual(['failed E515', 'success'])
  expect(await endsOf(group)).toEqual(['failed E602'])
  await rig.noAlertsWait()
  expect(await accepted()).toEqual(before)

  const fresh = await rig.send('MyBot(BTCUSDT) { market(sell, 0.01) }')
  expect(await rig.resultOf(fresh)).toMatchObject({ status: 'success' })
  expect(await accepted()).toHaveLength(5)
}, 180_000)

test('an alert that never ran is not sent by itself, also where an executor ends in between', async () => {
  const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  await backUpBus(rig.ops, folder, Date.now())
  await loseBus()
  await restoreBus(rig.ops, folder)
  const first = await rig.startExecutor()
  await first.stop()
  await rig.startExecutor()
  expect(await endsOf(alertId)).toEqual(['failed E515'])
  expect(await accepted()).toEqual([])
}, 180_000)

test('a wait that is not over is not ended by a restore', async () => {
  const first = await rig.startExecutor()
  const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01); wait(3h); market(sell, 0.01) }')
  await rig.eventsOf(alertId, 'command.waiting')
  await backUpBus(rig.ops, folder, Date.now())
  await first.stop()
  await loseBus()
  await restoreBus(rig.ops, folder)
  await rig.startExecutor()
  const behind = await rig.send('MyBot(BTCUSDT) { market(sell, 0.01) }')
  expect(await rig.resultOf(behind)).toMatchObject({ status: 'success' })
  const events = await rig.eventsOf(alertId, 'command.waiting')
  expect(events.flatMap((event) => (event.kind === 'command.finished' ? [event.outcome] : []))).toHaveLength(
    1,
  )
  await waitUntil(async () => (await rig.ops.manager.streams.info('ALERTS')).state.messages === 1, {
    deadlineMs: 30_000,
  })
}, 180_000)

test('a stream of many pieces is saved and brought back whole', async () => {
  const options = { attemptMs: 2000, deadlineMs: 30_000 }
  for (let number = 0; number < 400; number++) {
    const payload = JSON.stringify({ noise: randomBytes(1000).toString('hex') })
    await store(rig.ops, `event.${rig.userId}.-`, payload, { messageId: `${number}`, ...options })
  }
  await backUpBus(rig.ops, folder, Date.now())
  const events = async () => (await rig.ops.manager.streams.info('EVENTS')).state
  const { messages, bytes, last_seq } = await events()
  await loseBus()
  await restoreBus(rig.ops, folder)
  expect(await events()).toMatchObject({ messages, bytes, last_seq })
}, 120_000)

test.each(['KV_watches', 'EVENTS', 'ALERTS'])(
  'a restore that breaks off at %s leaves no alert that would be sent again',
  async (stream) => {
    await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await backUpBus(rig.ops, folder, Date.now())
    await loseBus()
    writeFileSync(path.join(folder, `${stream}.snapshot`), 'not what the server wrote')
    await expect(restoreBus(rig.ops, folder)).rejects.toThrow('empty it and begin again')
    expect(await readRestoredMark(rig.ops)).toMatchObject({ sequence: 1 })
    // As somebody might go on who does not begin again.
    await ensureStreams(rig.ops, { replicas: 1 })
    await rig.startExecutor()
    await rig.noAlertsWait()
    expect(await accepted()).toEqual([])
  },
  180_000,
)

test('a restore that is refused takes nothing away', async () => {
  await backUpBus(rig.ops, folder, Date.now())
  const events = { messageId: 'event', attemptMs: 2000, deadlineMs: 30_000 }
  await store(rig.ops, `event.${rig.userId}.-`, '{}', events)
  await expect(restoreBus(rig.ops, folder)).rejects.toThrow('EVENTS holds 1 messages')
  expect((await rig.ops.manager.streams.info('ALERTS')).state.messages).toBe(0)
}, 120_000)

test('a back-up is written into an empty folder, and restored onto an empty bus', async () => {
  await backUpBus(rig.ops, folder, Date.now())
  await expect(backUpBus(rig.ops, folder, Date.now())).rejects.toThrow('is not empty')
  await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  await expect(restoreBus(rig.ops, folder)).rejects.toThrow('ALERTS holds 1 messages')
  writeFileSync(path.join(folder, 'contents.json'), '{}')
  await expect(restoreBus(rig.ops, folder)).rejects.toThrow()
}, 120_000)
