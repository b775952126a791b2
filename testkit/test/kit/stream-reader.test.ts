import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Bus, connectBus, deleteMessage, store } from '@tripline/kit/bus/bus'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import {
  readStored,
  readStream,
  type StartAt,
  type StreamMessage,
  type StreamReader,
} from '@tripline/kit/bus/stream-reader'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { type Link, link } from '../../link.ts'
import { testLog } from '../../log.ts'
import { waitFor } from '../../wait-for.ts'
import { type RestartableBus, restartableBus } from './restartable-bus.ts'

const fromFirst: StartAt = { from: 'sequence', sequence: 1 }
const filter = 'event.user.*'

let server: RestartableBus
let writer: Bus
let written = 0
const readers: StreamReader[] = []
const links: Link[] = []
const linked: Bus[] = []

beforeEach(async () => {
  server = await restartableBus()
  writer = await server.connect()
  written = 0
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.stop()
  await Promise.all(linked.splice(0).map(async (bus) => await bus.close()))
  await server.stop()
  await Promise.all(links.splice(0).map(async (way) => await way.stop()))
})

/** Stores texts that count on from the last one. */
async function write(count: number, subject = 'event.user.bot'): Promise<void> {
  for (let index = 0; index < count; index++) {
    written++
    await store(writer, subject, `${written}`, {
      messageId: `${written}`,
      attemptMs: 300,
      deadlineMs: 10_000,
    })
  }
}

const counted = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}`)

async function read(bus: Bus, start: StartAt = fromFirst): Promise<StreamMessage[]> {
  const messages: StreamMessage[] = []
  const reader = await readStream(bus, {
    stream: 'EVENTS',
    filter,
    start,
    onMessage: (message) => messages.push(message),
  })
  readers.push(reader)
  return messages
}

const texts = (messages: StreamMessage[]): string[] => messages.map(({ text }) => text)

describe('a reader', () => {
  test('reads the stored messages of the stream and then new ones, each once and in order', async () => {
    await write(20)
    const messages = await read(await server.connect())
    await write(20)
    await waitFor(() => messages.length === 40)
    expect(texts(messages)).toEqual(counted(1, 40))
    expect(messages.map(({ sequence }) => sequence)).toEqual(counted(1, 40).map(Number))
  })

  test('reads only the messages that its filter names', async () => {
    const messages = await read(await server.connect())
    await write(1)
    await write(1, 'event.other.bot')
    await write(1)
    await waitFor(() => messages.length === 2)
    expect(texts(messages)).toEqual(['1', '3'])
  })

  test('begins at the given position', async () => {
    await write(5)
    await write(1, 'event.user.other')
    const bus = await server.connect()
    const [behind, news, last] = [
      await read(bus, { from: 'sequence', sequence: 4 }),
      await read(bus, { from: 'new' }),
      await read(bus, { from: 'lastPerSubject' }),
    ]
    await write(1)
    await waitFor(() => behind.length === 4 && last.length === 3 && news.length === 1)
    expect([texts(behind), texts(news), texts(last)]).toEqual([['4', '5', '6', '7'], ['7'], ['5', '6', '7']])
  })

  test('misses nothing and reads nothing twice when the server starts again', async () => {
    const messages = await read(await server.connect())
    await write(10)
    await waitFor(() => messages.length === 10)
    await server.halt()
    const storing = write(10)
    await server.resume()
    await storing
    await waitFor(() => messages.length === 20)
    await write(5)
    await waitFor(() => messages.length === 25)
    expect(texts(messages)).toEqual(counted(1, 25))
  })

  test('misses nothing and reads nothing twice when only its connection breaks', async () => {
    const [bus, way] = await connectByLink()
    const messages = await read(bus)
    await write(10)
    await waitFor(() => messages.length === 10)
    way.cut()
    await write(10)
    way.mend()
    await waitFor(() => messages.length === 20)
    expect(texts(messages)).toEqual(counted(1, 20))
  })

  test('goes on when its consumer is gone, though the connection holds', async () => {
    const bus = await server.connect()
    const messages = await read(bus)
    await write(10)
    await waitFor(() => messages.length === 10)
    for await (const { name } of writer.manager.consumers.list('EVENTS')) {
      await writer.manager.consumers.delete('EVENTS', name)
    }
    await write(10)
    await waitFor(() => messages.length === 20)
    expect(texts(messages)).toEqual(counted(1, 20))
  })

  test('reads a stream again that has lost its end', async () => {
    const messages = await read(await server.connect())
    await write(5)
    await waitFor(() => messages.length === 5)
    await writer.manager.streams.delete('EVENTS')
    await ensureStreams(writer, { replicas: 1 })
    await write(2)
    await waitFor(() => messages.length === 7)
    expect(messages.slice(5).map(({ text, sequence }) => [text, sequence])).toEqual([
      ['6', 1],
      ['7', 2],
    ])
  })

  test('reads nothing again because one look at the stream showed less than it has', async () => {
    const bus = await server.connect()
    const lag = lagging(bus)
    const messages = await read(lag.bus)
    await write(5)
    await waitFor(() => messages.length === 5)
    lag.lagOnce(2)
    await server.halt()
    await server.resume()
    await waitFor(() => lag.looks() > 1)
    await write(1)
    await waitFor(() => texts(messages).includes('6'))
    expect(texts(messages)).toEqual(counted(1, 6))
  })

  test('goes back behind a gap', async () => {
    const messages = await read(losing(await server.connect(), '4'))
    await write(10)
    await waitFor(() => messages.length === 10)
    expect(texts(messages)).toEqual(counted(1, 10))
  })

  test('finds by the heartbeat that the last message was lost', async () => {
    const messages = await read(losing(await server.connect(), '10'))
    await write(10)
    await waitFor(() => messages.length === 10)
    expect(texts(messages)).toEqual(counted(1, 10))
  })

  test('leaves out a message that cannot be handled, and is caught up all the same', async () => {
    await write(3)
    const messages: string[] = []
    const { promise: caughtUp, resolve: onCaughtUp } = Promise.withResolvers<void>()
    const bus = await server.connect()
    const changes: boolean[] = []
    bus.onConnection((isConnected) => changes.push(isConnected))
    const reader = await readStream(bus, {
      stream: 'EVENTS',
      filter,
      start: fromFirst,
      onMessage: ({ text }) => {
        if (text !== '2') throw new Error('not understood')
        messages.push(text)
      },
      onCaughtUp,
    })
    readers.push(reader)
    await caughtUp
    expect([messages, changes]).toEqual([['2'], []])
  })

  test('is not held up by deleted messages', async () => {
    await write(10)
    for (const sequence of [1, 4, 5, 10]) await deleteMessage(writer, 'EVENTS', sequence)
    const messages = await read(await server.connect())
    await write(1)
    await waitFor(() => messages.length === 7)
    expect(texts(messages)).toEqual(['2', '3', '6', '7', '8', '9', '11'])
  })

  test('reads nothing after it was stopped', async () => {
    const bus = await server.connect()
    const [stopped, other] = [await read(bus), await read(bus)]
    readers[0]?.stop()
    await write(3)
    await waitFor(() => other.length === 3)
    expect(stopped).toEqual([])
  })

  test('of a stream that is not there cannot be opened', async () => {
    const options = { stream: 'ABSENT', filter, start: fromFirst, onMessage: () => undefined }
    await expect(readStream(writer, options)).rejects.toThrow('stream not found')
  })
})

describe('all that is stored', () => {
  test('is read at once, also when it is nothing', async () => {
    expect(await readStored(writer, { stream: 'EVENTS', filter, start: fromFirst })).toEqual([])
    await write(300)
    const stored = await readStored(writer, { stream: 'EVENTS', filter, start: fromFirst })
    expect(texts(stored)).toEqual(counted(1, 300))
  })

  test('since a moment leaves out older messages', async () => {
    await write(3)
    const { time } = await writer.manager.streams.getMessage('EVENTS', { seq: 2 })
    const start: StartAt = { from: 'time', at: time.getTime() }
    const stored = await readStored(writer, { stream: 'EVENTS', filter, start })
    expect(texts(stored).slice(-2)).toEqual(['2', '3'])
  })
})

test('a message that is taken away before it is read is not waited for', async () => {
  await write(3)
  const stored = await readStored(takingAwayTheLast(writer), { stream: 'EVENTS', filter, start: fromFirst })
  expect(texts(stored)).toEqual(counted(1, 2))
})

describe('where the copy that is read lags', () => {
  test('all that is stored is read all the same', async () => {
    await write(7)
    await write(3, 'event.user.late')
    await mirrorFirst(7)
    const stored = await readStored(reading('COPY', 'EVENTS'), { stream: 'EVENTS', filter, start: fromFirst })
    expect(texts(stored)).toEqual(counted(1, 10))
  })

  test('a reader is not caught up before the copy is', async () => {
    await write(10)
    await copy(1, 7)
    const messages: StreamMessage[] = []
    const countsWhenCaughtUp: number[] = []
    const reader = await readStream(reading('COPY'), {
      stream: 'EVENTS',
      filter,
      start: fromFirst,
      onMessage: (message) => messages.push(message),
      onCaughtUp: () => countsWhenCaughtUp.push(messages.length),
    })
    readers.push(reader)
    await waitFor(() => messages.length === 7)
    await copy(8, 10)
    await waitFor(() => countsWhenCaughtUp.length > 0)
    expect(countsWhenCaughtUp).toEqual([10])
  })
})

test('reading stored messages leaves nothing on the server for long', async () => {
  await write(3)
  const setUp = (await writer.manager.streams.info('EVENTS')).state.consumer_count
  await readStored(writer, { stream: 'EVENTS', filter, start: fromFirst })
  await waitFor(async () => (await writer.manager.streams.info('EVENTS')).state.consumer_count === setUp)
})

describe('deleting', () => {
  test('removes exactly one message, and once more is no error', async () => {
    await write(3)
    await deleteMessage(writer, 'EVENTS', 2)
    await deleteMessage(writer, 'EVENTS', 2)
    const stored = await readStored(writer, { stream: 'EVENTS', filter, start: fromFirst })
    expect([texts(stored), await lastSequence(writer, 'EVENTS')]).toEqual([['1', '3'], 3])
  })
})

test('a deletion that the bus refuses is no deletion', async () => {
  await writer.manager.streams.add({ name: 'KEPT', subjects: ['kept'], deny_delete: true })
  await writer.jetstream.publish('kept', 'text')
  await expect(deleteMessage(writer, 'KEPT', 1)).rejects.toThrow('was not deleted')
})

/** The bus as it is where the last message is taken away between what the leader says and the reading. */
function takingAwayTheLast(bus: Bus): Bus {
  const streams: Bus['manager']['streams'] = Object.create(bus.manager.streams)
  streams.getMessage = async (stream, query) => {
    const message = await bus.manager.streams.getMessage(stream, query)
    await deleteMessage(bus, stream, message.seq)
    return message
  }
  return { ...bus, manager: { ...bus.manager, streams } }
}

const copySubject = 'copy'

/** Brings texts to the lagging copy of the events, a stream of its own, as they follow there. */
async function copy(first: number, last: number): Promise<void> {
  if (first === 1) await writer.manager.streams.add({ name: 'COPY', subjects: [copySubject] })
  for (const text of counted(first, last)) await writer.jetstream.publish(copySubject, text)
}

/** Makes a copy of the stream with the messages of the usual subject, which are so many; the others are not there yet. */
async function mirrorFirst(count: number): Promise<void> {
  const { streams } = writer.manager
  await streams.add({ name: 'COPY', mirror: { name: 'EVENTS', filter_subject: 'event.user.bot' } })
  await waitFor(async () => (await streams.info('COPY')).state.messages === count)
}

/** The bus where consumers come to lie at these copies, one after the other; from then on at the last. */
function reading(...copies: ('COPY' | 'EVENTS')[]): Bus {
  const consumers: Bus['manager']['consumers'] = Object.create(writer.manager.consumers)
  consumers.add = async (stream, config) => {
    const source = (copies.length > 1 ? copies.shift() : copies[0]) ?? stream
    const { config: of } = await writer.manager.streams.info(source)
    const subjects = source === 'COPY' && of.mirror === undefined ? copySubject : filter
    return await writer.manager.consumers.add(source, { ...config, filter_subject: subjects })
  }
  return { ...writer, manager: { ...writer.manager, consumers } }
}

/** A bus on which one look at a stream can be answered by a copy that does not have its last messages yet. */
function lagging(bus: Bus): { bus: Bus; lagOnce: (sequence: number) => void; looks: () => number } {
  const { streams } = bus.manager
  let behind: number | undefined
  let looks = 0
  const info: typeof streams.info = async (stream, options) => {
    const answer = await streams.info(stream, options)
    if (behind === undefined && looks === 0) return answer
    looks++
    if (behind === undefined) return answer
    const state = { ...answer.state, last_seq: behind }
    behind = undefined
    return { ...answer, state }
  }
  const manager = {
    ...bus.manager,
    consumers: bus.manager.consumers,
    streams: Object.assign(Object.create(streams), { info }),
  }
  return {
    bus: { ...bus, manager },
    lagOnce: (sequence) => {
      behind = sequence
    },
    looks: () => looks,
  }
}

/** The bus over a connection that loses the message with this text, once. */
function losing(bus: Bus, text: string): Bus {
  let isLost = false
  const connection: Bus['connection'] = Object.create(bus.connection)
  connection.subscribe = (subject, options = {}) =>
    bus.connection.subscribe(subject, {
      ...options,
      callback: (error, message) => {
        const loses = !isLost && error === null && message.string() === text
        if (loses) isLost = true
        else options.callback?.(error, message)
      },
    })
  return { ...bus, connection }
}

async function connectByLink(): Promise<[Bus, Link]> {
  const way = await link(`nats://${writer.connection.getServer()}`)
  links.push(way)
  const bus = await connectBus({ url: way.url, user: 'executor', log: testLog('bus') })
  linked.push(bus)
  return [bus, way]
}
