import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openBucket, watchBucket } from '@tripline/kit/bus/bucket'
import { type Bus, deleteRead, store } from '@tripline/kit/bus/bus'
import { readStream, type StreamMessage } from '@tripline/kit/bus/stream-reader'
import { type ForgetfulNats, forgetfulNats } from '../../nats.ts'
import { waitFor } from '../../wait-for.ts'

let server: ForgetfulNats
let keys: Bus
let executor: Bus

beforeEach(async () => {
  server = await forgetfulNats()
  keys = await server.connect('keys')
  executor = await server.connect('executor')
})
afterEach(async () => await server.stop())

async function storeAlert(bus: Bus, text: string): Promise<number> {
  const options = { messageId: text, attemptMs: 1000, deadlineMs: 30_000 }
  return (await store(bus, 'alert.1.user', text, options)).sequence
}

test('who follows a bucket sees a value whose revision lies below one that was lost', async () => {
  const seen = new Map<string, string>()
  const stop = await watchBucket(await server.connect('intake'), 'config', ({ key, text = '' }) =>
    seen.set(key, text),
  )
  const config = await openBucket(keys, 'config')
  await config.put('first', 'old')
  const saved = await server.save()
  await config.put('first', 'lost')
  await config.put('second', 'lost too')
  await waitFor(() => seen.get('second') === 'lost too')
  await server.putBack(saved, ['KV_config'])
  await waitFor(() => keys.isConnected())
  // The first of these gets the revision of a value that was seen, before anybody has looked.
  await config.put('second', 'new')
  await config.put('third', 'new too')
  await waitFor(() => seen.get('second') === 'new' && seen.get('third') === 'new too')
  await waitFor(() => seen.get('first') === 'old')
  stop()
})

test('a reader gets the message that took the place of one that was lost', async () => {
  const intake = await server.connect('intake')
  const messages: StreamMessage[] = []
  let lost = 0
  const reader = await readStream(executor, {
    stream: 'ALERTS',
    filter: 'alert.1.*',
    start: { from: 'sequence', sequence: 1 },
    onMessage: (message) => messages.push(message),
    onLostEnd: () => {
      lost++
    },
  })
  await storeAlert(intake, 'kept')
  const saved = await server.save()
  await storeAlert(intake, 'lost')
  await waitFor(() => messages.length === 2)
  await server.putBack(saved, ['ALERTS'])
  await waitFor(() => intake.isConnected())
  expect(await storeAlert(intake, 'in its place')).toBe(2)
  await waitFor(() => messages.at(-1)?.text === 'in its place', { deadlineMs: 60_000 })
  expect(lost).toBe(1)
  reader.stop()
})

test('the end of a message leaves the one that took its place', async () => {
  const intake = await server.connect('intake')
  const saved = await server.save()
  const messages: StreamMessage[] = []
  const reader = await readStream(executor, {
    stream: 'ALERTS',
    filter: 'alert.1.*',
    start: { from: 'sequence', sequence: 1 },
    onMessage: (message) => messages.push(message),
  })
  await storeAlert(intake, 'lost')
  await waitFor(() => messages.length === 1)
  const connection = executor.connections()
  const [{ sequence = 0, storedAt = 0 } = {}] = messages
  reader.stop()
  await server.putBack(saved, ['ALERTS'])
  await waitFor(() => intake.isConnected() && executor.isConnected())
  expect(await storeAlert(intake, 'in its place')).toBe(sequence)
  await deleteRead(executor, 'ALERTS', { sequence, storedAt, connection })
  const { state } = await executor.manager.streams.info('ALERTS')
  expect(state.messages).toBe(1)
})
