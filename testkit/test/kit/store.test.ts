import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Stored } from '@tripline/kit/bus/acknowledged-publish'
import { type Bus, isFull, store } from '@tripline/kit/bus/bus'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { ensureStreams, verifyStream } from '@tripline/kit/bus/streams'
import { waitFor } from '../../wait-for.ts'
import { type RestartableBus, restartableBus } from './restartable-bus.ts'

const patient = { attemptMs: 300, deadlineMs: 10_000 }
const atOnce = { attemptMs: 10_000, deadlineMs: 10_000 }

let server: RestartableBus
let bus: Bus

beforeEach(async () => {
  server = await restartableBus()
  bus = await server.connect()
})
afterEach(async () => await server.stop())

describe('storing', () => {
  test('answers where the message lies, and that it lay there already', async () => {
    const first = await store(bus, 'alert.1.user', '{}', { messageId: 'a', ...atOnce })
    const again = await store(bus, 'alert.1.user', '{}', { messageId: 'a', ...atOnce })
    const other = await store(bus, 'alert.1.user', '{}', { messageId: 'b', ...atOnce })
    expect([first, again, other]).toEqual([
      { sequence: 1, isDuplicate: false },
      { sequence: 1, isDuplicate: true },
      { sequence: 2, isDuplicate: false },
    ])
  })

  test('outlives a server that starts again, and stores each message once', async () => {
    const storeEach = async (): Promise<Stored[]> =>
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          return await store(bus, 'event.user.bot', '{}', { messageId: `${index % 40}`, ...patient })
        }),
      )
    await storeEach()
    await server.halt()
    await waitFor(() => !bus.isConnected())
    const storing = storeEach()
    await server.resume()
    expect((await storing).every(({ isDuplicate }) => isDuplicate)).toBe(true)
    expect(await lastSequence(bus, 'EVENTS')).toBe(40)
  })

  test('gives up when its time is over', async () => {
    await server.halt()
    const stored = store(bus, 'event.user.bot', '{}', { messageId: 'a', attemptMs: 100, deadlineMs: 300 })
    await expect(stored).rejects.toThrow('event.user.bot was not acknowledged in 300 ms')
  })

  test('takes a time in which its process stood still for no time', async () => {
    const stored = store(bus, 'event.user.bot', '{}', { messageId: 'a', attemptMs: 1000, deadlineMs: 1000 })
    await new Promise((resolve) => setImmediate(resolve))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
    expect(await stored).toMatchObject({ sequence: 1 })
  })

  test('fails at once for a message that is longer than the server takes', async () => {
    const payload = 'x'.repeat(2 ** 21)
    const stored = bus.publishStored({ subject: 'event.user.bot', payload, timeoutMs: 10_000 })
    await expect(stored).rejects.toThrow('MAX_PAYLOAD_EXCEEDED')
  })

  test('fails at once where nobody keeps the message', async () => {
    const stored = bus.publishStored({ subject: 'nobody.keeps.it', payload: '{}', timeoutMs: 10_000 })
    await expect(stored).rejects.toThrow('nobody answers nobody.keeps.it')
  })

  test('fails once the bus is closed', async () => {
    await bus.close()
    const stored = bus.publishStored({ subject: 'event.user.bot', payload: '{}', timeoutMs: 10_000 })
    await expect(stored).rejects.toThrow('the bus is closed')
  })

  test('leaves nothing behind that was said just before the bus is closed', async () => {
    const stored = bus.publishStored({ subject: 'event.user.bot', payload: '{}', timeoutMs: 10_000 })
    stored.catch(() => undefined)
    await bus.close()
    expect(await lastSequence(await server.connect(), 'EVENTS')).toBe(1)
  })

  test('is refused at once where no more is taken', async () => {
    for (let index = 0; index < 500; index++) bus.connection.publish('alert.1.user', '{}')
    const stored = store(bus, 'alert.1.user', '{}', { messageId: 'a', ...patient })
    const error: unknown = await stored.catch((thrown: unknown) => thrown)
    expect(isFull(error)).toBe(true)
    expect(await lastSequence(bus, 'ALERTS')).toBe(500)
    expect(isFull(new Error('maximum messages per subject exceeded'))).toBe(false)
  })
})

describe('a stream', () => {
  test('is as it should be once it was set up, however often that is done', async () => {
    await ensureStreams(bus, { replicas: 1 })
    await verifyStream(bus, 'ALERTS')
    await verifyStream(bus, 'EVENTS')
  })

  test('that has other settings is refused, and set right again by a set-up', async () => {
    const { config } = await bus.manager.streams.info('ALERTS')
    await bus.manager.streams.update('ALERTS', { ...config, max_msgs_per_subject: 7 })
    await expect(verifyStream(bus, 'ALERTS')).rejects.toThrow(
      'Stream ALERTS has max_msgs_per_subject 7, expected 500',
    )
    await ensureStreams(bus, { replicas: 1 })
    await verifyStream(bus, 'ALERTS')
  })
})

test('a connection reports that it is lost and that it is back', async () => {
  const changes: boolean[] = []
  const forget = bus.onConnection((isConnected) => changes.push(isConnected))
  await server.halt()
  await server.resume()
  await store(bus, 'event.user.bot', '{}', { messageId: 'a', ...patient })
  expect([changes, bus.isConnected()]).toEqual([[false, true], true])
  forget()
})
