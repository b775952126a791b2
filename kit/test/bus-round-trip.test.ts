import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Link, link } from '@tripline/testkit/link'
import { testLog } from '@tripline/testkit/log'
import { guardedNats, type TestNats } from '@tripline/testkit/nats'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Bus, connectBus } from '../bus.ts'

const roundTripMs = 200

let server: TestNats
let way: Link
let bus: Bus

beforeEach(async () => {
  server = await guardedNats()
  way = await link(server.url)
  const seed = server.seed('history')
  bus = await connectBus({ url: way.url, user: 'history', seed, log: testLog('history'), roundTripMs })
})
afterEach(async () => {
  await bus.close()
  await way.stop()
  await server.stop()
})

test('a connection on which nothing comes back is not ready, and is begun anew', async () => {
  expect(bus.isReady()).toBe(true)
  const changes: boolean[] = []
  bus.onConnection((isConnected) => changes.push(isConnected))
  way.mute()
  await waitFor(() => !bus.isReady() && bus.isConnected())
  await waitFor(() => bus.isReady())
  expect([changes, bus.isAlive()]).toEqual([[false, true], true])
})

test('a process that hears nothing for long although the server greets others is not alive', async () => {
  bus.connection.reconnect = async () => undefined
  way.mute()
  await waitFor(() => !bus.isAlive())
  expect([bus.isConnected(), bus.isReady()]).toEqual([true, false])
})

test('an outage of the bus ends readiness and not life', async () => {
  way.cut()
  await waitFor(() => !bus.isReady())
  // Longer than it takes to be held for deaf.
  await new Promise((resolve) => setTimeout(resolve, 20 * roundTripMs))
  expect(bus.isAlive()).toBe(true)
  way.mend()
  await waitFor(() => bus.isReady())
})
