import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Bus, connectBus, store } from '@tripline/kit/bus/bus'
import { readSentTo } from '@tripline/kit/bus/sent-to-readers'
import { readStream, type StreamReader } from '@tripline/kit/bus/stream-reader'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { type Link, link } from '../../link.ts'
import { testLog } from '../../log.ts'
import { waitFor } from '../../wait-for.ts'
import { type RestartableBus, restartableBus } from './restartable-bus.ts'

const filter = 'event.user.*'

let server: RestartableBus
let writer: Bus
let way: Link
let bus: Bus
let readers: StreamReader[]
let read: number
let written: number

beforeEach(async () => {
  server = await restartableBus()
  writer = await server.connect()
  way = await link(`nats://${writer.connection.getServer()}`)
  bus = await connectBus({ url: way.url, user: 'executor', log: testLog('bus') })
  readers = []
  read = 0
  written = 0
})
afterEach(async () => {
  for (const reader of readers) reader.stop()
  await bus.close()
  await server.stop()
  await way.stop()
})

async function write(count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await store(writer, 'event.user.bot', 'text', {
      messageId: `${++written}`,
      attemptMs: 300,
      deadlineMs: 10_000,
    })
}

/** Reads the stream under this name until the test ends. */
async function readAs(name: string, start = 1): Promise<void> {
  const reader = await readStream(bus, {
    stream: 'EVENTS',
    filter,
    start: { from: 'sequence', sequence: start },
    onMessage: () => void read++,
    labels: () => ({ name }),
  })
  readers.push(reader)
}

/** The highest sequence that the server sent under each of these names. */
async function sentTo(...names: string[]): Promise<number[]> {
  const readings = (await readSentTo(writer, 'EVENTS', 5000)) ?? []
  return names.map((name) =>
    Math.max(...readings.filter(({ labels }) => labels['name'] === name).map(({ sentTo }) => sentTo)),
  )
}

/** Settles once the server knows that so many consumers have a listener. */
async function untilListenedTo(count: number): Promise<void> {
  await waitFor(async () => {
    const consumers = await writer.manager.consumers.list('EVENTS').next()
    return consumers.filter(({ push_bound: isBound }) => isBound === true).length === count
  })
}

describe('the count of messages sent to a reader', () => {
  test('is one for each label, without messages after its connection ended', async () => {
    await readAs('one')
    await write(3)
    await readAs('other', 2)
    await waitFor(() => read === 5)
    await write(2)
    await waitFor(() => read === 9)
    readers[1]?.stop()
    await untilListenedTo(1)
    await write(1)
    await waitFor(() => read === 10)
    way.cut()
    await untilListenedTo(0)
    await write(4)
    expect(await sentTo('one', 'other')).toEqual([6, 5])
  })

  test('includes all before its position where it was opened again and sent nothing since', async () => {
    await readAs('one')
    await write(3)
    await waitFor(() => read === 3)
    for (const { name } of await writer.manager.consumers.list('EVENTS').next())
      await writer.manager.consumers.delete('EVENTS', name)
    const isOpen = async (): Promise<boolean> =>
      (await writer.manager.consumers.list('EVENTS').next()).length === 1
    await waitFor(isOpen, { deadlineMs: 20_000 })
    expect(await sentTo('one')).toEqual([3])
  }, 40_000)

  test('is none any more once the stream has lost its end', async () => {
    await readAs('one')
    await write(3)
    await waitFor(() => read === 3)
    await writer.manager.streams.delete('EVENTS')
    await ensureStreams(writer, { replicas: 1 })
    await write(2)
    await waitFor(() => read === 5)
    expect(await sentTo('one')).toEqual([Number.NEGATIVE_INFINITY])
  })

  test('is not known where the server cannot report all readers at once', async () => {
    expect(await readSentTo(writer, 'EVENTS', 5000)).toBeDefined()
    const consumers = Array.from({ length: 257 }, (_, index) => ({
      name: `reader-${index}`,
      inactive_threshold: 60_000_000_000,
    }))
    await Promise.all(consumers.map(async (config) => await writer.manager.consumers.add('EVENTS', config)))
    expect(await readSentTo(writer, 'EVENTS', 5000)).toBeUndefined()
  })
})
