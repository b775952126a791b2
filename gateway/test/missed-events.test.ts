import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, store } from '@tripline/kit/bus/bus'
import { readEnd } from '@tripline/kit/bus/stored-messages'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { readMissed } from '../src/stream/missed-events.ts'

let server: TestNats
let gateway: Bus

beforeAll(async () => {
  server = await nats()
  gateway = await server.connect('gateway')
  const executor = await server.connect('executor')
  const patience = { attemptMs: 2000, deadlineMs: 30_000 }
  for (const text of ['1', '2', '3'])
    await store(executor, 'event.user.bot', text, { messageId: text, ...patience })
})
afterAll(async () => await server.stop())

test('missed events are read, only the newest where there are many', async () => {
  const asked = { filter: 'event.user.*', behind: 1, upTo: 3 }
  expect((await readMissed(gateway, asked)).map(({ text }) => text)).toEqual(['2', '3'])
  const part = { stream: 'EVENTS', filter: 'event.user.*', first: 1, last: 1000 }
  expect((await readEnd(gateway, part, 2)).map(({ text }) => text)).toEqual(['2', '3'])
  expect((await readEnd(gateway, { ...part, last: 2 }, 1)).map(({ text }) => text)).toEqual(['2'])
})

test('where nothing was missed, nothing is read', async () => {
  expect(await readMissed(gateway, { filter: 'event.user.*', behind: 3, upTo: 3 })).toEqual([])
  expect(await readMissed(gateway, { filter: 'event.nobody.*', behind: 0, upTo: 3 })).toEqual([])
})
