import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { reportStandingDelay, type StandingDelay } from './standing-delay.ts'

beforeEach(() => {
  jest.useFakeTimers({ now: 1000 })
})

afterEach(() => {
  jest.useRealTimers()
})

/** Takes an alert each 5 ms that was stored so long before; returns what is reported of them. */
function takeAlerts(delays: readonly number[], isOfTwoClocks = false): StandingDelay[] {
  const reports: StandingDelay[] = []
  const note = reportStandingDelay((report) => reports.push(report), isOfTwoClocks)
  for (const delayMs of delays) {
    note(delayMs)
    jest.advanceTimersByTime(5)
  }
  jest.advanceTimersByTime(50)
  return reports
}

function times(count: number, ...delays: number[]): number[] {
  return Array.from({ length: count }, () => delays).flat()
}

test('alerts that all wait are reported, from the second span on, with how many are taken in a second', () => {
  const reports = takeAlerts([...times(20, 0), ...times(60, 300)])
  expect(reports.length).toBeGreaterThan(3)
  for (const { delayMs, perSecond } of reports) {
    expect(delayMs).toBe(300)
    expect(perSecond).toBeGreaterThan(150)
    expect(perSecond).toBeLessThan(250)
  }
})

test('alerts that came during a pause of the process are not reported, nor those that wait shortly', () => {
  expect(takeAlerts([...times(20, 0), 400, 300, 200, 100, ...times(20, 0)])).toEqual([])
  expect(takeAlerts([...times(20, 0), ...times(60, 40)])).toEqual([])
})

test('a bus whose clock is behind or ahead is no delay', () => {
  expect(takeAlerts(times(100, 5000))).toEqual([])
  expect(takeAlerts([...times(20, -5000), ...times(60, -4700)]).map(({ delayMs }) => delayMs)).toContain(300)
})

test('a clock that leapt is a delay for half a minute at most', () => {
  const [second, minute, spansOfHalfAMinute] = [200, 12_000, 600]
  const reports = takeAlerts([...times(second, 0), ...times(minute, 300)])
  expect(reports.length).toBeGreaterThan(100)
  expect(reports.length).toBeLessThanOrEqual(spansOfHalfAMinute)
})

test.each([300, 3_600_000])('a leap of one of two clocks by %d ms is no delay', (leapMs) => {
  expect(takeAlerts([...times(200, 0), ...times(200, leapMs)], true)).toEqual([])
  // A process that follows the leap of its machine a second later than the bus.
  expect(takeAlerts([...times(200, 0), ...times(200, -leapMs), ...times(200, 0)], true)).toEqual([])
})

test('by two clocks too, alerts wait that nothing takes for a while, and those behind a leap', () => {
  const growing = Array.from({ length: 100 }, (_, index) => 4 * index)
  expect(takeAlerts([...times(200, 0), ...growing], true).at(-1)?.delayMs).toBeGreaterThan(300)
  const leapt = [...times(200, 0), ...times(200, 5000), ...growing.map((ms) => 5000 + ms)]
  expect(takeAlerts(leapt, true).at(-1)?.delayMs).toBeGreaterThan(300)
})

test('two spans far apart are no queue', () => {
  const reports: StandingDelay[] = []
  const note = reportStandingDelay((report) => reports.push(report))
  for (const delayMs of [0, 900, 900, 900]) {
    note(delayMs)
    jest.advanceTimersByTime(2000)
  }
  expect(reports).toEqual([])
})
