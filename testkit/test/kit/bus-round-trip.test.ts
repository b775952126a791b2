import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { type Link, link } from '../../link.ts'
import { testLog } from '../../log.ts'
import { guardedNats, type TestNats } from '../../nats.ts'
import { waitFor } from '../../wait-for.ts'

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
  await waitFor(() => bus.isReady())
  const changes: boolean[] = []
  bus.onConnection((isConnected) => changes.push(isConnected))
  const { connection } = bus
  const reconnect = connection.reconnect.bind(connection)
  let before: boolean[] = []
  connection.reconnect = async () => {
    if (before.length === 0) before = [bus.isConnected(), bus.isReady()]
    await reconnect()
  }
  way.mute()
  await waitFor(() => changes.length > 1 && bus.isReady())
  expect([before, changes.slice(0, 2), bus.isAlive()]).toEqual([[true, false], [false, true], true])
})

test('a process that receives nothing for long although the server greets others is not alive', async () => {
  bus.connection.reconnect = async () => undefined
  way.mute()
  await waitFor(() => !bus.isAlive())
  expect([bus.isConnected(), bus.isReady()]).toEqual([true, false])
})

test('an outage of the bus ends readiness and not life', async () => {
  const isDraining = bus.connection.isDraining.bind(bus.connection)
  let rounds = 0
  // Each round of the watch asks for it.
  bus.connection.isDraining = () => {
    rounds++
    return isDraining()
  }
  way.cut()
  await waitFor(() => !bus.isReady())
  const atOutage = rounds
  // With so many messages missing, a connection that stands would be taken for deaf.
  await waitFor(() => rounds > atOutage + 20)
  expect(bus.isAlive()).toBe(true)
  way.mend()
  await waitFor(() => bus.isReady())
})
