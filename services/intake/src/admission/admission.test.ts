import { describe, expect, test } from '@jest/globals'
import type { UserId } from '@tripline/proto/id'
import { partitionCount, partitionOf } from '@tripline/proto/subject'
import { createAdmission } from './admission.ts'

const partitions = new Set(Array.from({ length: partitionCount }, (_, partition) => partition))
const spanMs = 50
const reportedFromMs = 50

/** Users who send evenly, so many alerts a second together. */
interface Crowd {
  users: readonly UserId[]
  perSecond: number
  isExit?: boolean
}

interface Outcome {
  admitted: number
  refused: number
  /** Of what was admitted, in ms. */
  waits: number[]
}

/**
 * An executor of this capacity behind the admission, which reports its delays as ours do. Returns the outcomes of each
 * crowd from some time on.
 */
function simulate(
  crowds: readonly Crowd[],
  { perSecond, forMs, fromMs = 0 }: { perSecond: (at: number) => number; forMs: number; fromMs?: number },
): Outcome[] {
  const queue: { crowd: number; at: number; userId: UserId | undefined }[] = []
  const admission = createAdmission(() => queue.length)
  const outcomes: Outcome[] = crowds.map(() => ({ admitted: 0, refused: 0, waits: [] }))
  const sent = crowds.map(() => 0)
  let [capacity, least, taken, before] = [0, Number.POSITIVE_INFINITY, 0, 0]
  for (let at = 0; at < forMs; at++) {
    for (const [crowd, { users, perSecond: rate, isExit = false }] of crowds.entries()) {
      for (; (sent[crowd] ?? 0) < (at * rate) / 1000; sent[crowd] = (sent[crowd] ?? 0) + 1) {
        const userId = users[(sent[crowd] ?? 0) % users.length] ?? users[0]
        const isAdmitted = userId !== undefined && admission.admit(userId, isExit, at) === 0
        if (isAdmitted) queue.push({ crowd, at, userId })
        const outcome = outcomes[crowd]
        if (outcome !== undefined && at >= fromMs) outcome[isAdmitted ? 'admitted' : 'refused']++
      }
    }
    for (capacity += perSecond(at) / 1000; capacity >= 1 && queue.length > 0; capacity--) {
      const { crowd, at: cameAt, userId } = queue.shift() ?? { crowd: 0, at, userId: undefined }
      least = Math.min(least, at - cameAt)
      taken++
      if (cameAt >= fromMs) outcomes[crowd]?.waits.push(at - cameAt)
      admission.executed(userId && partitionOf(userId), at)
    }
    if (queue.length === 0) capacity = Math.min(capacity, 1)
    if (at % spanMs !== 0) continue
    const delayMs = least === Number.POSITIVE_INFINITY ? 0 : least
    if (Math.min(before, delayMs) >= reportedFromMs)
      admission.delayed({ source: 'executor', partitions, delayMs, perSecond: (1000 * taken) / spanMs }, at)
    before = delayMs
    least = Number.POSITIVE_INFINITY
    taken = 0
  }
  return outcomes
}

function crowd(name: string, count: number, perSecond: number, isExit = false): Crowd {
  const users = Array.from({ length: count }, (_, index) => `${name}-${index}` as UserId)
  return { users, perSecond, isExit }
}

const steadily = (perSecond: number) => () => perSecond

describe('more alerts than are executed', () => {
  test.each([
    { of: 'twice as many', users: 500, offered: 1000, capacity: 500 },
    { of: 'five times as many', users: 500, offered: 1000, capacity: 200 },
    { of: 'somewhat more', users: 500, offered: 500, capacity: 450 },
    { of: 'twice as many, of users who send seldom', users: 20_000, offered: 1000, capacity: 500 },
    { of: 'twice as many, of few users', users: 3, offered: 100, capacity: 50 },
  ])(
    '$of: none waits for a second, and little of what can be done is refused',
    ({ users, offered, capacity }) => {
      const [outcome] = simulate([crowd('user', users, offered)], {
        perSecond: steadily(capacity),
        forMs: 30_000,
      })
      const { admitted = 0, refused = 0, waits = [] } = outcome ?? {}
      expect(Math.max(...waits)).toBeLessThan(1000)
      expect(admitted).toBeGreaterThan(0.85 * capacity * 30)
      expect(admitted + refused).toBeGreaterThan(0.999 * offered * 30)
    },
  )

  test('an executor that becomes slow is followed, and one that is fast again too', () => {
    const perSecond = (at: number): number => (at > 10_000 && at < 20_000 ? 150 : 800)
    const users = [crowd('user', 300, 300)]
    const [whole] = simulate(users, { perSecond, forMs: 40_000 })
    expect(Math.max(...(whole?.waits ?? []))).toBeLessThan(1000)
    const [later] = simulate(users, { perSecond, forMs: 40_000, fromMs: 30_000 })
    expect(later).toMatchObject({ admitted: 3000, refused: 0 })
  })

  test('a user who floods is refused, and nobody else', () => {
    const crowds = [crowd('flood', 1, 1000), crowd('other', 200, 200)]
    const [flood, others] = simulate(crowds, { perSecond: steadily(500), forMs: 20_000, fromMs: 1000 })
    expect(flood?.refused).toBeGreaterThan(10_000)
    expect(others).toMatchObject({ refused: 0 })
    expect(Math.max(...(others?.waits ?? []))).toBeLessThan(1000)
  })

  test('exits are admitted', () => {
    const crowds = [crowd('exit', 100, 100, true), crowd('entry', 500, 1000)]
    const [exits] = simulate(crowds, { perSecond: steadily(400), forMs: 20_000 })
    expect(exits).toMatchObject({ admitted: 2000, refused: 0 })
    expect(Math.max(...(exits?.waits ?? []))).toBeLessThan(1000)
  })
})

test('entries are admitted again once more exits than could be executed are', () => {
  const admission = createAdmission(() => 100)
  let [queued, refused] = [0, 0]
  for (let at = 0; at < 40_000; at++) {
    if (at < 20_000 && at % 20 < 3 && admission.admit(`exit-${at % 200}` as UserId, true, at) === 0) queued++
    if (at % 50 === 0) {
      if (admission.admit(`entry-${at % 300}` as UserId, false, at) === 0) queued++
      else if (at > 32_000) refused++
      if (queued > 5)
        admission.delayed({ source: 'slow', partitions, delayMs: 10 * queued, perSecond: 100 }, at)
    }
    if (at % 10 > 0 || queued === 0) continue
    queued--
    admission.executed(at % 7, at)
  }
  expect(refused).toBe(0)
})

describe('of several executors', () => {
  const users = Array.from({ length: 400 }, (_, index) => `user-${index}` as UserId)
  const ofOne = new Set([...partitions].filter((partition) => partition % 4 === 0))
  const isOfOne = (userId: UserId): boolean => ofOne.has(partitionOf(userId))

  /** Alerts of all users, each of which is executed unless it is of the slow one. Returns those of it that are admitted. */
  function admittedOfOne(delay: { delayMs: number; perSecond?: number }, executesAll: boolean): number {
    const admission = createAdmission(() => 100)
    let [admitted, rest] = [0, 0]
    for (let at = 0; at < 8000; at++) {
      if (at % 50 === 0) admission.delayed({ source: 'one', partitions: ofOne, ...delay }, at)
      const userId = users[at % users.length] as UserId
      const isAdmitted = admission.admit(userId, false, at) === 0
      const isExecuted = !isOfOne(userId) || executesAll || rest++ % 4 === 0
      if (isExecuted) admission.executed(partitionOf(userId), at)
      if (isAdmitted && isOfOne(userId) && at > 4000) admitted++
    }
    return admitted
  }
  const offered = users.filter(isOfOne).length * 10

  test('one refuses nothing for what others are sent', () => {
    expect(admittedOfOne({ delayMs: 90, perSecond: offered / 4 }, true)).toBeGreaterThan(0.98 * offered)
  })

  test('one that is late is not measured by what others execute', () => {
    expect(admittedOfOne({ delayMs: 900 }, false)).toBeLessThan(0.3 * offered)
  })
})

test('nothing is refused while nothing waits long', () => {
  const [outcome] = simulate([crowd('user', 400, 440)], { perSecond: steadily(450), forMs: 20_000 })
  expect(outcome).toMatchObject({ admitted: 8800, refused: 0 })
})

test('partitions of other executors are not limited', () => {
  const admission = createAdmission(() => 100)
  for (let at = 0; at < 3000; at += 100)
    admission.delayed({ source: 'slow', partitions: new Set(), delayMs: 900, perSecond: 1 }, at)
  for (let at = 3000; at < 3100; at++) expect(admission.admit(`user-${at % 7}` as UserId, false, at)).toBe(0)
})

test('a refused sender is to wait for a second at least', () => {
  const admission = createAdmission(() => 100)
  const waits: number[] = []
  for (let at = 0; at < 2000; at++) {
    if (at % 100 === 0) admission.delayed({ source: 'slow', partitions, delayMs: 900, perSecond: 10 }, at)
    waits.push(admission.admit('greedy' as UserId, false, at))
  }
  const refused = waits.filter((ms) => ms > 0)
  expect(refused.length).toBeGreaterThan(1900)
  expect(Math.min(...refused)).toBe(1000)
})

test('a process that is late while few alerts wait refuses none', () => {
  const admission = createAdmission(() => 20)
  for (let at = 0; at < 2000; at++) {
    if (at % 50 === 0) admission.delayed({ source: 'event loop', partitions, delayMs: 900 }, at)
    expect(admission.admit(`user-${at % 7}` as UserId, false, at)).toBe(0)
  }
})

test('a process that stays as late however few are admitted does not keep out more and more', () => {
  const admission = createAdmission(() => 100)
  let admitted = 0
  for (let at = 0; at < 20_000; at++) {
    if (at > 2000 && at % 50 === 0) admission.delayed({ source: 'event loop', partitions, delayMs: 300 }, at)
    if (at % 3 > 0) continue
    const userId = `user-${at % 700}` as UserId
    if (admission.admit(userId, false, at) > 0) continue
    admission.executed(partitionOf(userId), at)
    if (at >= 10_000) admitted++
  }
  expect(admitted).toBeGreaterThan(1800)
})

test('alerts that wait for an owner, while nothing is executed, keep out no others', () => {
  const admission = createAdmission(() => 400)
  for (let at = 0; at < 2000; at++) {
    if (at % 50 === 0) admission.delayed({ source: 'event loop', partitions, delayMs: 900 }, at)
    expect(admission.admit(`user-${at % 7}` as UserId, false, at)).toBe(0)
  }
})
