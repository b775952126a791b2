import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openRedis, type Redis } from '@tripline/kit/redis'
import { testLog } from '@tripline/testkit/log'
import { redis } from '@tripline/testkit/redis'
import { waitFor } from '@tripline/testkit/wait-for'

let store: Awaited<ReturnType<typeof redis>>
let observer: Redis

beforeAll(async () => {
  store = await redis()
  observer = openRedis(store.url, store.prefix, testLog('observer'), { patienceMs: 5000 })
})
afterAll(async () => {
  observer.disconnect()
  await store.stop()
})

test('an attempt reaches Redis from a process that is killed as soon as it has written it', async () => {
  const alertId = '01M84W0ABP9VMZWJKDXG986XG8'
  const script = path.join(import.meta.dirname, 'attempt-then-killed.ts')
  const child = spawn(process.execPath, [script, store.url, store.prefix, 'body', alertId], {
    stdio: 'inherit',
  })
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
  await waitFor(async () => (await observer.zscore('unanswered', `body|${alertId}`)) === '1')
})
