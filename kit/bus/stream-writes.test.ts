import { beforeEach, describe, expect, test } from '@jest/globals'
import { StreamRefusal } from './acknowledged-publish.ts'
import { createKnownEnds } from './known-ends.ts'
import { type StreamWrites, watchWrites } from './stream-writes.ts'

let now: number
let isConnected: boolean
/** The error of the next writes. */
let error: Error | undefined
let writes: StreamWrites

beforeEach(() => {
  now = 0
  isConnected = true
  error = undefined
  const publish = async () => {
    now += 300
    if (error !== undefined) throw error
    return { sequence: 1, isDuplicate: false }
  }
  writes = watchWrites(publish, { isConnected: () => isConnected, now: () => now, ends: createKnownEnds() })
})

async function write(subject: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time++)
    await writes.publishStored({ subject, payload: '', timeoutMs: 300 }).catch(() => undefined)
}

const silence = new Error('TIMEOUT')
const fullDisk = new StreamRefusal('no space left on device', 10_077)

test.each([
  ['says nothing', silence],
  ['says so', fullDisk],
])('a store that takes nothing for a second, and %s, refuses writes', async (_name, cause) => {
  error = cause
  await write('alert.1.user', 3)
  expect(writes.refusing()).toEqual([])
  await write('alert.1.user')
  await write('$KV.progress.1.alert', 4)
  expect(writes.refusing()).toEqual(['ALERTS', 'progress'])
})

test('a store that takes a message again does not', async () => {
  error = silence
  await write('event.user.bot', 4)
  expect(writes.refusing()).toEqual(['EVENTS'])
  error = undefined
  await write('event.user.bot')
  expect(writes.refusing()).toEqual([])
})

test('a failure of long ago is forgotten, and no beginning of a later one', async () => {
  error = silence
  await write('event.user.bot', 4)
  now += 10_001
  expect(writes.refusing()).toEqual([])
  await write('event.user.bot')
  expect(writes.refusing()).toEqual([])
})

describe('a store is well where', () => {
  test.each([
    ["a user's own subject is full", new StreamRefusal('maximum messages per subject exceeded', 10_077)],
    ['another writer was first', new StreamRefusal('wrong last sequence: 3', 10_071)],
  ])('%s', async (_name, refusal) => {
    error = refusal
    await write('alert.1.user', 5)
    expect(writes.refusing()).toEqual([])
  })

  test('the connection is away', async () => {
    isConnected = false
    error = silence
    await write('alert.1.user', 5)
    expect(writes.refusing()).toEqual([])
  })
})
