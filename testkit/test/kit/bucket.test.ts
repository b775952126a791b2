import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  type Bucket,
  type BucketChange,
  entriesBelow,
  openBucket,
  readBucket,
  watchBucket,
} from '@tripline/kit/bus/bucket'
import { type Bus, store } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { buckets } from '@tripline/proto/subject'
import { AckPolicy } from 'nats'
import { nats, type TestNats } from '../../nats.ts'
import { waitFor } from '../../wait-for.ts'

let server: TestNats
let bus: Bus
let bucket: Bucket
let key: string
let keys = 0

beforeAll(async () => {
  server = await nats()
  bus = await server.connect('executor')
  bucket = await openBucket(bus, 'progress')
})
afterAll(async () => await server.stop())
beforeEach(() => {
  keys++
  key = `key-${keys}`
})

describe('a compare-and-set', () => {
  test('creates an absent value, once', async () => {
    const revision = await bucket.putIf(key, 'first', 0)
    expect(await bucket.get(key)).toEqual({ text: 'first', revision })
    expect(await bucket.putIf(key, 'second', 0)).toBeUndefined()
    expect(await bucket.get(key)).toEqual({ text: 'first', revision })
  })

  test('writes over the revision it names, and over no other', async () => {
    const first = await bucket.put(key, 'first')
    const second = await bucket.putIf(key, 'second', first)
    expect(second).toBeGreaterThan(first)
    expect(await bucket.putIf(key, 'third', first)).toBeUndefined()
    expect(await bucket.get(key)).toEqual({ text: 'second', revision: second })
  })

  test('creates a removed value again', async () => {
    const first = await bucket.put(key, 'first')
    await bucket.remove(key)
    expect(await bucket.get(key)).toBeUndefined()
    expect(await bucket.putIf(key, 'stale', first)).toBeUndefined()
    expect(await bucket.putIf(key, 'second', 0)).toBeGreaterThan(first)
  })

  test('creates an erased value again, and nothing is left of it', async () => {
    const first = await bucket.put(key, 'first')
    await bucket.erase(key)
    await bucket.erase(key)
    expect(await bucket.get(key)).toBeUndefined()
    expect((await readBucket(bus, 'progress')).filter((entry) => entry.key === key)).toEqual([])
    expect(await bucket.putIf(key, 'stale', first)).toBeUndefined()
    expect(await bucket.putIf(key, 'second', 0)).toBeGreaterThan(first)
  })

  test('is won by one of many', async () => {
    const revision = await bucket.put(key, 'start')
    const others = await Promise.all(Array.from({ length: 4 }, async () => await server.connect('executor')))
    const buckets = await Promise.all(others.map(async (other) => await openBucket(other, 'progress')))
    const written = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, index) => await buckets[index % 4]?.putIf(key, `${index}`, revision),
      ),
    )
    const winners = written.flatMap((answer, index) => (answer === undefined ? [] : [`${index}`]))
    expect(winners).toHaveLength(1)
    expect((await bucket.get(key))?.text).toBe(winners[0])
  })
})

describe('watching', () => {
  test('reads the stored values before it returns, and then changes in order up to the last', async () => {
    const watched = await openBucket(bus, 'members')
    await watched.put('gone', 'soon')
    await watched.put('kept', 'older')
    await watched.put('kept', 'newer')
    await watched.remove('gone')
    const changes: Pick<BucketChange, 'key' | 'text'>[] = []
    const stop = await watchBucket(bus, 'members', ({ key, text }) => changes.push({ key, text }))
    expect(changes).toEqual([
      { key: 'kept', text: 'newer' },
      { key: 'gone', text: undefined },
    ])
    for (let index = 0; index < 50; index++) await watched.put('kept', `${index}`)
    await watched.remove('kept')
    await waitFor(() => changes.length > 2 && changes.at(-1)?.text === undefined)
    // A bucket keeps one value of a key, so one that is overwritten at once may never be read.
    const seen = changes.slice(2, -1).map(({ text }) => Number(text))
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect(changes.at(-1)).toEqual({ key: 'kept', text: undefined })
    stop()
  })

  test('answers at once where nothing is there', async () => {
    const stop = await watchBucket(bus, 'watches', () => undefined)
    stop()
  })

  test('reads revisions that a compare-and-set can name', async () => {
    const watched = await openBucket(bus, 'watches')
    const changes: BucketChange[] = []
    const stop = await watchBucket(bus, 'watches', (change) => changes.push(change))
    await watched.put('key', 'first')
    const [change] = await waitFor(() => changes.length === 1 && changes)
    expect(await watched.putIf('key', 'second', change?.revision ?? 0)).toBeDefined()
    stop()
  })

  test('reads nothing after it was stopped', async () => {
    const watched = await openBucket(bus, 'leases')
    const [received, missed]: string[][] = [[], []]
    const unwatch = await watchBucket(bus, 'leases', ({ text = '' }) => received?.push(text))
    const stop = await watchBucket(bus, 'leases', ({ text = '' }) => missed?.push(text))
    stop()
    await watched.put('1', 'later')
    await waitFor(() => received?.length === 1)
    expect(missed).toEqual([])
    unwatch()
  })
})

test('the values below a token are read one after the other, and nothing beside them', async () => {
  const written = await openBucket(bus, 'watches')
  for (const name of ['7.gone', '7.first', '70.other', '7.second', '6.other', '7.first'])
    await written.put(name, `text of ${name}`)
  await written.erase('7.gone')
  const updates: Pick<BucketChange, 'key' | 'text'>[] = []
  for await (const { key, text } of entriesBelow(bus, 'watches', '7')) updates.push({ key, text })
  expect(updates).toEqual([
    { key: '7.second', text: 'text of 7.second' },
    { key: '7.first', text: 'text of 7.first' },
  ])
  for await (const entry of entriesBelow(bus, 'watches', '8')) throw new Error(`${entry.key} is read`)
})

test('nothing can be written to a bucket that does not exist', async () => {
  const absent = await openBucket(await server.connect('ops'), 'absent' as 'leases')
  await expect(absent.put('key', 'text')).rejects.toThrow()
  await expect(absent.putIf('key', 'text', 0)).rejects.toThrow()
})

test('a bucket that was made with another age is brought to its own', async () => {
  const ops = await server.connect('ops')
  const ageOfMembers = async (): Promise<number> =>
    (await ops.manager.streams.info('KV_members')).config.max_age / 1_000_000
  await ops.manager.streams.update('KV_members', { max_age: 0 })
  await ensureStreams(ops, { replicas: 1 })
  expect(await ageOfMembers()).toBe(buckets.members.maxAgeMs)
})

test('a watch receives values that were written while nothing came to it, and those that a lost message showed', async () => {
  const changes: string[] = []
  const watcher = await server.connect('intake')
  const stop = await watchBucket(watcher, 'config', ({ text = 'gone' }) => changes.push(text))
  const keys = await server.connect('keys')
  const config = await openBucket(keys, 'config')
  await config.put('watched', 'first')
  await waitFor(() => changes.length === 1)
  await watcher.connection.reconnect()
  await config.put('watched', 'second')
  await config.put('other', 'third')
  await config.remove('watched')
  await waitFor(() => changes.length === 4 || changes.at(-1) === 'gone')
  stop()
  expect([changes[0], changes.at(-1), changes.includes('third')]).toEqual(['first', 'gone', true])
})

test('a durable consumer begins where the one before it is', async () => {
  const ops = await server.connect('ops')
  const patience = { attemptMs: 2000, deadlineMs: 30_000 }
  for (const text of ['1', '2', '3'])
    await store(bus, 'event.user.bot', text, { messageId: text, ...patience })
  const { consumers } = ops.manager
  await consumers.delete('EVENTS', 'to-history')
  await consumers.add('EVENTS', { durable_name: 'history', ack_policy: AckPolicy.Explicit })
  const taken = await (await ops.jetstream.consumers.get('EVENTS', 'history')).next()
  await taken?.ackAck()
  await ensureStreams(ops, { replicas: 1 })
  const { config, num_pending } = await consumers.info('EVENTS', 'to-history')
  expect([config.opt_start_seq, num_pending]).toEqual([2, 2])
})
