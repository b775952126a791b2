import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { reportLateLoop } from './late-loop.ts'

/** Has turns of the event loop that take so long; returns the delays that are reported of it. */
async function turnsOf(...turnsMs: number[]): Promise<number[]> {
  const delays: number[] = []
  const stop = reportLateLoop((delayMs) => delays.push(delayMs))
  for (const ms of turnsMs) {
    const until = performance.now() + ms
    while (performance.now() < until);
    await sleep(1)
  }
  stop()
  return delays
}

test('an event loop whose turns are long is reported', async () => {
  const delays = await turnsOf(700, 700, 700, 700)
  expect(delays.length).toBeGreaterThan(0)
  for (const delayMs of delays) expect(delayMs).toBeGreaterThanOrEqual(600)
})

test('one that stood still once is not', async () => {
  expect(await turnsOf(700, ...Array.from({ length: 50 }, () => 1), 700)).toEqual([])
})

test('the part of the last second that was busy is reported', async () => {
  const parts: number[] = []
  const stop = reportLateLoop((_delayMs, busyPart) => parts.push(busyPart))
  const before = performance.eventLoopUtilization()
  while (performance.eventLoopUtilization(before).idle < 1000) await sleep(10)
  for (let turn = 0; turn < 20; turn++) {
    const until = performance.now() + 120
    while (performance.now() < until);
    await sleep(1)
  }
  stop()
  expect(parts[0]).toBeGreaterThan(0)
  expect(parts[0]).toBeLessThan(0.7)
  expect(parts.at(-1)).toBeGreaterThan(0.9)
})
