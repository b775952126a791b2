import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, store } from '@tripline/kit/bus'
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

/** The bus where a copy of the stream that lags counts none of the messages. */
function countingNone(bus: Bus): Bus {
  const consumers: Bus['manager']['consumers'] = Object.create(bus.manager.consumers)
  consumers.add = async (...args) => ({ ...(await bus.manager.consumers.add(...args)), num_pending: 0 })
  return { ...bus, manager: { ...bus.manager, consumers } }
}

test('what was missed is told, also where a copy that lags knows nothing of it', async () => {
  const asked = { filter: 'event.user.*', behind: 1, upTo: 3 }
  const texts = async (bus: Bus) => (await readMissed(bus, asked)).map(({ text }) => text)
  expect(await texts(gateway)).toEqual(['2', '3'])
  expect(await texts(countingNone(gateway))).toEqual(['2', '3'])
})

test('where nothing was missed, nothing is told', async () => {
  expect(await readMissed(gateway, { filter: 'event.user.*', behind: 3, upTo: 3 })).toEqual([])
  expect(await readMissed(gateway, { filter: 'event.nobody.*', behind: 0, upTo: 3 })).toEqual([])
})
