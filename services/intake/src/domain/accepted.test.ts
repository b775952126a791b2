import { expect, test } from '@jest/globals'
import { type Accepted, lastOther, withAccepted } from './accepted.ts'

const all = (...alerts: [body: string, at: number][]): Accepted | undefined =>
  alerts.reduce<Accepted | undefined>((known, [body, at]) => withAccepted(known, body, at), undefined)

test.each([
  ['nothing', all(), 0],
  ['the same alone', all(['sell', 1], ['sell', 2]), 0],
  ['another one', all(['buy', 1]), 1],
  ['another one behind the same', all(['sell', 1], ['buy', 2]), 2],
  ['another one before the same', all(['buy', 1], ['sell', 2], ['sell', 3]), 1],
  ['another one that was received earlier and is reported later', all(['sell', 5], ['buy', 3]), 3],
  ['an earlier one that is reported later', all(['buy', 5], ['close', 3]), 5],
  ['several others', all(['buy', 1], ['close', 2], ['sell', 3]), 2],
])('behind a sell the last alert that says something else is known: %s', (_name, known, at) => {
  expect(lastOther(known, 'sell')).toBe(at)
})
