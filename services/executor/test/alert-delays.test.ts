import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, flush, subscribe } from '@tripline/kit/bus/bus'
import { AlertsDelayed } from '@tripline/proto/executor-request'
import { alertsDelayedSubject } from '@tripline/proto/subject'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { waitFor } from '@tripline/testkit/wait-for'
import { publishDelays } from '../src/monitoring/alert-delays.ts'

let server: TestNats
let bus: Bus
const received: AlertsDelayed[] = []
beforeAll(async () => {
  server = await nats()
  bus = await server.connect('executor')
  const intake = await server.connect('intake')
  subscribe(intake, alertsDelayedSubject, (text) => void received.push(AlertsDelayed.parse(JSON.parse(text))))
  await flush(intake)
})
afterAll(async () => await server.stop())

/** Notes a delay again and again until that has been reported for some time. */
async function noteFor(ms: number, note: (delayMs: number) => void, delayOf: () => number): Promise<void> {
  const until = performance.now() + ms
  await waitFor(() => {
    note(delayOf())
    return performance.now() > until
  })
}

test('delays are published once partitions are served and caught up with, each queue as what it is', async () => {
  let now = 0
  const delays = publishDelays(bus, 'one', () => now)
  await noteFor(100, delays.taken, () => 0)
  await noteFor(100, delays.sent, () => 0)
  const stoodFrom = performance.now()
  const standing = (): number => performance.now() - stoodFrom
  await noteFor(300, delays.taken, standing)
  await flush(bus)
  expect(received).toEqual([])
  delays.start(() => [3, 7])
  for (let executed = 0; executed < 40; executed++) delays.executed()
  delays.claimed()
  await noteFor(300, delays.taken, standing)
  await flush(bus)
  expect(received).toEqual([])
  now = 10_000
  await noteFor(300, delays.taken, standing)
  await noteFor(300, delays.sent, () => 800)
  const [alerts, requests] = await waitFor(() => {
    const found = (['alerts', 'requests'] as const).map((name) =>
      received.find(({ queue }) => queue === name),
    )
    return !found.includes(undefined) && found
  })
  expect(alerts).toMatchObject({ executor: 'one', partitions: [3, 7], perSecond: expect.any(Number) })
  expect(alerts?.mostPerSecond).toBeGreaterThan(6)
  expect(alerts?.delayMs).toBeGreaterThan(500)
  expect(requests).toMatchObject({ executor: 'one', partitions: [3, 7], perSecond: expect.any(Number) })
  delays.stop()
})
