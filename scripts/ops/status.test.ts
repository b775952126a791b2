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

test('a heartbeat that came while the status was read has no negative age', () => {
  const executors = listExecutors(new Map([['lives', beatAt(now + 76)]]), [], now)
  expect(describeStatus({ ...rest, executors })).toContain('seen 0 ms ago')
})

test('an executor that is not in the list of members is shown by the partitions it holds', () => {
  const executors = listExecutors(new Map(), ['alone'], now)
  expect(describeStatus({ ...rest, executors })).toContain('alone  1 partitions, takes no part in sharing')
})

test('what exchanges sent that was new is listed with who received it', () => {
  const beats = new Map([
    ['some', { ...beatAt(now), drifts: 3 }],
    ['none', beatAt(now)],
  ])
  const lines = describeStatus({ ...rest, executors: listExecutors(beats, [], now) }).split('\n')
  expect(lines.slice(-2)).toEqual([
    'Exchanges sent fields that were new or could not be read (see TriplineVenueDrift):',
    '  some  3 kinds today',
  ])
  const quiet = describeStatus({ ...rest, executors: listExecutors(new Map(), [], now) })
  expect(quiet).toContain('nothing today that was new')
})
