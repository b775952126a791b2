import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type BucketChange, openBucket, readBucket } from '@tripline/kit/bus/bucket'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import type { BucketName } from '@tripline/proto/subject'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'

let rig: Rig
let bus: Bus
beforeEach(async () => {
  rig = await buildRig()
  const { NATS_URL: url, NATS_NKEY_SEED: seed } = rig.config
  bus = await connectBus({ url, user: 'executor', seed, log: testLog('executor') })
})
afterEach(async () => {
  await bus.close()
  await rig.stop()
})

/** Returns an alert's entries in a bucket, marks of deleted ones among them. */
async function tracesOf(name: BucketName, alertId: string): Promise<BucketChange[]> {
  return (await readBucket(bus, name)).filter(({ key }) => key.includes(alertId))
}

const dayAndMoreMs = 26 * 3_600_000

test('of an alert nothing is left, also where the bus was not to be reached at its end', async () => {
  let failures = 0
  await rig.startExecutor({
    connect: async (options) => {
      const executorBus = await connectBus(options)
      const { request } = executorBus
      executorBus.request = async (question) => {
        const isDeletion = question.subject.startsWith('$JS.API.STREAM.MSG.DELETE.')
        if (isDeletion && failures++ < 2) throw new Error('the bus is away')
        return await request(question)
      }
      return executorBus
    },
  })
  const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  await rig.noAlertsWait()
  expect(failures).toBe(3)
})

test('of a wait nothing is left once its alert has ended', async () => {
  await rig.startExecutor()
  const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01); wait(10); market(sell, 0.01) }')
  await rig.eventsOf(alertId, 'command.waiting')
  expect(await tracesOf('progress', alertId)).toHaveLength(1)
  expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  await rig.noAlertsWait()
  expect(await tracesOf('progress', alertId)).toEqual([])
})

const group =
  'MyBot(BTCUSDT) { market(buy, 0.02); oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) } }'

test('of a group that ended nothing is left', async () => {
  await rig.startExecutor()
  const alertId = await rig.send(group)
  await rig.resultOf(alertId)
  expect(await tracesOf('watches', alertId)).toHaveLength(1)
  await rig.resultOf(await rig.send('MyBot(BTCUSDT) { cancel }'))
  await waitFor(async () => (await tracesOf('watches', alertId)).length === 0)
})

test('of a group that ended after a takeover nothing is left once nobody can ask for it', async () => {
  const first = await rig.startExecutor()
  const alertId = await rig.send(group)
  await rig.resultOf(alertId)
  await first.stop()
  const executor = await rig.startExecutor()
  await rig.resultOf(await rig.send('MyBot(BTCUSDT) { cancel }'))
  const record = await waitFor(async () => {
    const [{ key, text = '' } = { key: '' }] = await tracesOf('watches', alertId)
    return JSON.parse(text).record.state === 'done' && { key, stored: JSON.parse(text) }
  })
  await executor.stop()
  const aged = { ...record.stored, at: record.stored.at - dayAndMoreMs }
  await (await openBucket(bus, 'watches')).put(record.key, JSON.stringify(aged))
  await rig.startExecutor()
  await waitFor(async () => (await tracesOf('watches', alertId)).length === 0)
})
