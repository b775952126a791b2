import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, store } from '@tripline/kit/bus/bus'
import { consumeDurably } from '@tripline/kit/bus/durable-consumer'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { DeliverPolicy, nanos } from 'nats'
import { nats, type TestNats } from '../../nats.ts'
import { waitFor } from '../../wait-for.ts'

let server: TestNats
beforeAll(async () => {
  server = await nats()
})
afterAll(async () => await server.stop())

/** The bus, and how often a message with a text has come to its subscribers. */
function counting(bus: Bus): { bus: Bus; arrivals: (text: string) => number } {
  const texts: string[] = []
  const connection: Bus['connection'] = Object.create(bus.connection)
  connection.subscribe = (subject, options = {}) =>
    bus.connection.subscribe(subject, {
      ...options,
      callback: (error, message) => {
        if (error === null) texts.push(message.string())
        options.callback?.(error, message)
      },
    })
  return { bus: { ...bus, connection }, arrivals: (text) => texts.filter((one) => one === text).length }
}

test('messages that wait behind a batch which cannot be taken are in memory once, however often they are sent again', async () => {
  const ops = await server.connect('ops')
  await ops.manager.consumers.update('EVENTS', 'to-history', { ack_wait: nanos(500) })
  const executor = await server.connect('executor')
  const { bus, arrivals } = counting(await server.connect('history'))
  const taken: string[] = []
  let isUp = false
  const onBatch = async (batch: { text: string }[]): Promise<void> => {
    if (!isUp) throw new Error('the database is away')
    taken.push(...batch.map(({ text }) => text))
  }
  const publishText = async (text: string): Promise<unknown> =>
    await store(executor, 'event.user.bot', text, { messageId: text, attemptMs: 10_000, deadlineMs: 10_000 })
  await publishText('first')
  const consumer = await consumeDurably(bus, { durable: 'to-history', onBatch })
  await waitFor(() => arrivals('first') > 0)
  await publishText('second')
  await waitFor(() => arrivals('second') > 4)
  isUp = true
  await waitFor(() => taken.includes('second'))
  await consumer.stop()
  // One that is sent again at the very moment may be taken twice.
  expect(taken.filter((text) => text === 'second').length).toBeLessThan(3)
})

test('a consumer that is taken away is noticed, and messages that came meanwhile are taken once it is made again', async () => {
  const ops = await server.connect('ops')
  const executor = await server.connect('executor')
  const taken: string[] = []
  const consumer = await consumeDurably(await server.connect('notifier'), {
    durable: 'to-notifier',
    onBatch: async (batch) => void taken.push(...batch.map(({ text }) => text)),
  })
  expect(consumer.isStuck()).toBe(false)
  const { config } = await ops.manager.consumers.info('EVENTS', 'to-notifier')
  await ops.manager.consumers.delete('EVENTS', 'to-notifier')
  await waitFor(() => consumer.isStuck(), { deadlineMs: 60_000 })
  await store(executor, 'event.user.bot', 'meanwhile', {
    messageId: 'meanwhile',
    attemptMs: 10_000,
    deadlineMs: 10_000,
  })
  await ops.manager.consumers.add('EVENTS', config)
  await waitFor(() => taken.includes('meanwhile'), { deadlineMs: 60_000 })
  await waitFor(() => !consumer.isStuck(), { deadlineMs: 60_000 })
  await consumer.stop()
}, 240_000)

test('a consumer that is ahead of a stream which lost its end is noticed, and setup has it take what came since', async () => {
  const ops = await server.connect('ops')
  const executor = await server.connect('executor')
  const { consumers } = ops.manager
  const { config } = await consumers.info('EVENTS', 'to-notifier')
  await consumers.delete('EVENTS', 'to-notifier')
  const ahead = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: 1000 }
  await consumers.add('EVENTS', { ...config, ...ahead })
  const taken: string[] = []
  const consumer = await consumeDurably(await server.connect('notifier'), {
    durable: 'to-notifier',
    onBatch: async (batch) => void taken.push(...batch.map(({ text }) => text)),
  })
  await waitFor(() => consumer.isStuck(), { deadlineMs: 60_000 })
  const wait = { messageId: 'behind', attemptMs: 10_000, deadlineMs: 10_000 }
  await store(executor, 'event.user.bot', 'behind', wait)
  await ensureStreams(ops, { replicas: 1 })
  await waitFor(() => taken.includes('behind'), { deadlineMs: 60_000 })
  await waitFor(() => !consumer.isStuck(), { deadlineMs: 60_000 })
  await consumer.stop()
}, 240_000)
