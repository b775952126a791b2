import { expect, test } from '@jest/globals'
import { type Sample, slopeOf, trendsOf } from './flatness.ts'

const mib = 2 ** 20

function samples(count: number, more: (minute: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: count }, (_, minute) => ({
    minute,
    pid: 1,
    heapUsed: 50 * mib,
    rss: 120 * mib,
    handles: 30,
    pauses: [],
    held: {},
    files: 40,
    ...more(minute),
  }))
}

function growing(all: readonly Sample[]): string[] | undefined {
  return trendsOf(all)?.flatMap(({ thing, isGrowing }) => (isGrowing ? [thing] : []))
}

test('a series that goes up and down around a level is flat', () => {
  expect(growing(samples(30, (minute) => ({ heapUsed: (50 + (minute % 3)) * mib })))).toEqual([])
})

test('a series that grows only while the process fills its caches is flat', () => {
  expect(growing(samples(30, (minute) => ({ heapUsed: (minute < 2 ? 20 : 50) * mib })))).toEqual([])
})

test('a heap that grows by a MiB a minute is found, with its slope an hour', () => {
  const leaking = samples(30, (minute) => ({ heapUsed: (50 + minute) * mib }))
  expect(growing(leaking)).toEqual(['heapUsed'])
  expect(trendsOf(leaking)?.[0]?.perHour).toBeCloseTo(60 * mib)
})

test('a handle that is left open each minute is found', () => {
  expect(growing(samples(30, (minute) => ({ handles: 30 + minute })))).toEqual(['handles'])
})

test('a process that is young is not judged', () => {
  expect(trendsOf(samples(7, () => ({})))).toBeUndefined()
  expect(trendsOf(samples(30, (minute) => ({ pid: minute < 25 ? 1 : 2 })))).toBeUndefined()
})

test('the slope is that of the line through the points', () => {
  expect(
    slopeOf([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  ).toBe(2)
})
