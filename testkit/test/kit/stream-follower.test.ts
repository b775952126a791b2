import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openBucket, watchBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { nats, type TestNats } from '../../nats.ts'
import { waitFor } from '../../wait-for.ts'

let server: TestNats
beforeAll(async () => {
  server = await nats()
})
afterAll(async () => await server.stop())

interface Failing {
  bus: Bus
  /** Keeps the next message from the subscriber, and lets every look at the stream fail from then on. */
  loseNext: () => void
  looks: () => number
  /** The number of looks that found the connection closed. */
  closedLooks: () => number
}

function failing(bus: Bus): Failing {
  let isLosing = false
  let isFailing = false
  let looks = 0
  let closedLooks = 0
  const connection: Bus['connection'] = Object.create(bus.connection)
  connection.subscribe = (subject, options = {}) =>
    bus.connection.subscribe(subject, {
      ...options,
      callback: (error, message) => {
        if (!isLosing) return options.callback?.(error, message)
        isLosing = false
      },
    })
  connection.isClosed = () => {
    const isClosed = bus.connection.isClosed()
    if (isClosed) closedLooks++
    return isClosed
  }
  const streams: Bus['manager']['streams'] = Object.create(bus.manager.streams)
  streams.info = async (stream, options) => {
    if (!isFailing) return await bus.manager.streams.info(stream, options)
    looks++
    throw new Error('no answer')
  }
  return {
    bus: { ...bus, connection, manager: { ...bus.manager, streams } },
    loseNext: () => {
      isLosing = true
      isFailing = true
    },
    looks: () => looks,
    closedLooks: () => closedLooks,
  }
}

test('missed messages that cannot be read keep no process busy once its connection is closed', async () => {
  const bus = await server.connect('intake')
  const { bus: broken, loseNext, looks, closedLooks } = failing(bus)
  const seen: string[] = []
  const stop = await watchBucket(broken, 'config', ({ text = '' }) => seen.push(text))
  const config = await openBucket(await server.connect('keys'), 'config')
  await config.put('user', 'first')
  await waitFor(() => seen.length === 1)
  loseNext()
  for (const text of ['lost', 'behind it']) await config.put('user', text)
  await waitFor(() => looks() > 0)
  await bus.close()
  await waitFor(() => closedLooks() > 0)
  expect(seen).toEqual(['first'])
  stop()
})
