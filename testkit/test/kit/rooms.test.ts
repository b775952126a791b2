import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openBucket } from '@tripline/kit/bus/bucket'
import { type Bus, connectBus, isFull, store } from '@tripline/kit/bus/bus'
import { ensureStreams, verifyStream } from '@tripline/kit/bus/streams'
import { type BucketName, buckets, type StreamName, streams } from '@tripline/proto/subject'
import { startOwnNats } from '../../infra/nats.ts'
import type { Server } from '../../infra/server.ts'
import { temporaryFolder } from '../../infra/temporary-folder.ts'
import { testLog } from '../../log.ts'

const mebibyte = 1024 ** 2
const names = [...Object.keys(streams), ...Object.keys(buckets)] as (StreamName | BucketName)[]
const piece = 'x'.repeat(64_000)
const patient = { attemptMs: 10_000, deadlineMs: 10_000 }

let server: Server
let bus: Bus
let remove: () => Promise<void>

beforeEach(async () => {
  const temporary = await temporaryFolder()
  remove = temporary.remove
  server = await startOwnNats({ dataDir: temporary.folder, maxFileStore: `${names.length}MB` })
  bus = await connectBus({ url: server.url, user: 'ops', log: testLog('bus'), patienceMs: 10_000 })
})
afterEach(async () => {
  await bus.close()
  await server.stop()
  await remove()
})

const ofOneMebibyte = Object.fromEntries(names.map((name) => [name, mebibyte]))

async function fill(pieces: number, put: (index: number) => Promise<unknown>): Promise<unknown[]> {
  const outcomes: unknown[] = []
  for (let index = 0; index < pieces; index++)
    outcomes.push(
      await put(index).then(
        () => 'stored',
        (error: unknown) => (isFull(error) ? 'full' : error),
      ),
    )
  return outcomes
}

test('neither events nor a bucket take the room of alerts, and the other way round', async () => {
  await ensureStreams(bus, { replicas: 1, maxBytes: ofOneMebibyte })
  await verifyStream(bus, 'ALERTS')
  const storeEvent = async (index: number): Promise<unknown> =>
    await store(bus, 'event.user.bot', piece, { messageId: `event-${index}`, ...patient })
  // The oldest go, so that an executor is never held up by a stream that is full.
  expect(await fill(48, storeEvent)).toEqual(Array.from({ length: 48 }, () => 'stored'))
  const events = (await bus.manager.streams.info('EVENTS')).state
  expect([events.last_seq, events.first_seq > 30, events.bytes <= mebibyte]).toEqual([48, true, true])

  const config = await openBucket(bus, 'config')
  const entries = await fill(20, async (index) => await config.put(`user-${index}`, piece))
  expect(entries.filter((outcome) => outcome === 'stored')).toHaveLength(16)
  expect(entries.at(-1)).toBe('full')

  const storeAlert = async (index: number): Promise<unknown> =>
    await store(bus, `alert.1.user-${index}`, piece, { messageId: `alert-${index}`, ...patient })
  const alerts = await fill(20, storeAlert)
  expect(alerts.filter((outcome) => outcome === 'stored')).toHaveLength(16)
  expect(alerts.at(-1)).toBe('full')
  const leases = await openBucket(bus, 'leases')
  expect(await leases.put('1', '{}')).toBe(1)
  expect(await fill(1, async () => await storeEvent(48))).toEqual(['stored'])
})

test('a server that is too small for the rooms is named, with the remedy', async () => {
  await expect(ensureStreams(bus, { replicas: 1 })).rejects.toThrow(
    'The bus has no room for ALERTS, which is to have 3072 MiB of its own: raise max_file_store',
  )
})

test('a stream without a room of its own is refused, and given one by a set-up', async () => {
  await ensureStreams(bus, { replicas: 1, maxBytes: ofOneMebibyte })
  for (const name of ['EVENTS', 'KV_config']) await bus.manager.streams.update(name, { max_bytes: -1 })
  await expect(verifyStream(bus, 'EVENTS')).rejects.toThrow('Stream EVENTS has no max_bytes')
  await ensureStreams(bus, { replicas: 1, maxBytes: ofOneMebibyte })
  await verifyStream(bus, 'EVENTS')
  expect((await bus.manager.streams.info('KV_config')).config.max_bytes).toBe(mebibyte)
})
