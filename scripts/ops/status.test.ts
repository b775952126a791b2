import { expect, test } from '@jest/globals'
import { describeStatus, listExecutors } from './status.ts'

const now = 1_000_000
const beatAt = (seenAt: number) => ({ seenAt, isTaking: false, drifts: 0 })
const rest = { free: 0, alerts: 0, waiting: {}, gone: [], copyFaults: [] }

test('a dead executor is listed while it holds partitions, and as gone', () => {
  const beats = new Map([
    ['holds', beatAt(now - 12_400)],
    ['idle', beatAt(now - 12_400)],
    ['lives', beatAt(now - 400)],
  ])
  const executors = listExecutors(beats, ['holds', 'lives', 'holds'], now)
  expect(executors.map(({ owner }) => owner)).toEqual(['holds', 'lives'])
  const lines = describeStatus({ ...rest, executors })
  expect(lines).toContain('holds  2 partitions, gone: last seen 12 s ago, nobody has taken them over')
  expect(lines).toContain('lives  1 partitions, seen 400 ms ago')
})

test('what an executor said while the status was read is no time from now', () => {
  const executors = listExecutors(new Map([['lives', beatAt(now + 76)]]), [], now)
  expect(describeStatus({ ...rest, executors })).toContain('seen 0 ms ago')
})

test('one that is not in the list of members is told of by what it holds', () => {
  const executors = listExecutors(new Map(), ['alone'], now)
  expect(describeStatus({ ...rest, executors })).toContain('alone  1 partitions, takes no part in sharing')
})
