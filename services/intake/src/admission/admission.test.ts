import { describe, expect, test } from '@jest/globals'
import { createThroughput } from '@tripline/kit/time/throughput'
import type { UserId } from '@tripline/proto/id'
import { partitionCount, partitionOf } from '@tripline/proto/subject'
import { createAdmission, type Delay } from './admission.ts'

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

interface Machine {
  /** Alerts that are executed in a second. */
  perSecond: (at: number) => number
  /** The time in which nothing is reported of them. */
  isSilent?: (at: number) => boolean
  forMs: number
  /** Outcomes count from here on. */
  fromMs?: number
}

/**
 * An executor of this capacity behind the admission, which reports its delays as ours do. Returns the outcomes of each
 * crowd.
 */
function simulate(
  crowds: readonly Crowd[],
  { perSecond, isSilent = () => false, forMs, fromMs = 0 }: Machine,
): Outcome[] {
  const queue: { crowd: number; at: number }[] = []
  const admission = createAdmission()
  const outcomes: Outcome[] = crowds.map(() => ({ admitted: 0, refused: 0, waits: [] }))
  const sent = crowds.map(() => 0)
  let [capacity, least, taken, before, now] = [0, Number.POSITIVE_INFINITY, 0, 0, 0]
  const throughput = createThroughput(() => now)
  for (let at = 0; at < forMs; at++) {
    now = at
    for (const [crowd, { users, perSecond: rate, isExit = false }] of crowds.entries()) {
      for (; (sent[crowd] ?? 0) < (at * rate) / 1000; sent[crowd] = (sent[crowd] ?? 0) + 1) {
        const userId = users[(sent[crowd] ?? 0) % users.length] ?? users[0]
        const isAdmitted = userId !== undefined && admission.admit(userId, isExit, at) === 0
        if (isAdmitted) queue.push({ crowd, at })
        const outcome = outcomes[crowd]
        if (outcome !== undefined && at >= fromMs) outcome[isAdmitted ? 'admitted' : 'refused']++
      }
    }
    for (capacity += perSecond(at) / 1000; capacity >= 1 && queue.length > 0; capacity--) {
      const { crowd, at: cameAt } = queue.shift() ?? { crowd: 0, at }
      least = Math.min(least, at - cameAt)
      taken++
      if (cameAt >= fromMs) outcomes[crowd]?.waits.push(at - cameAt)
      throughput.count()
      admission.executed(true, at)
    }
    if (queue.length === 0) capacity = Math.min(capacity, 1)
    if (at % spanMs !== 0) continue
    const delayMs = least === Number.POSITIVE_INFINITY ? 0 : least
    if (Math.min(before, delayMs) >= reportedFromMs && !isSilent(at)) {
      const rates = { perSecond: (1000 * taken) / spanMs, mostPerSecond: throughput.mostPerSecond() }
      admission.delayed({ source: 'executor', partitions, delayMs, ...rates, isOfAll: true }, at)
    }
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

/** A report of a process that can do so many alerts a second. */
function report(mostPerSecond: number, delay: Partial<Delay> = {}): Delay {
  return { source: 'slow', partitions, delayMs: 900, mostPerSecond, isOfAll: true, ...delay }
}

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

describe('behind a takeover', () => {
  const isAway = (at: number): boolean => at > 10_000 && at < 25_000
  /** The delays of what was stored before the claim, and of ten seconds after it, are of nobody. */
  const isSilent = (at: number): boolean => isAway(at) || at < 35_000

  test('of 15 s nobody is refused whom a slow machine can serve', () => {
    const [outcome] = simulate([crowd('user', 60, 60)], {
      perSecond: (at) => (isAway(at) ? 0 : 100),
      isSilent,
      forMs: 90_000,
    })
    expect(outcome).toMatchObject({ admitted: 5400, refused: 0 })
  })

  test('more than can be executed wait no longer once the silence is over', () => {
    const [outcome] = simulate([crowd('user', 500, 600)], {
      perSecond: (at) => (isAway(at) ? 0 : 300),
      isSilent,
      forMs: 170_000,
      fromMs: 140_000,
    })
    expect(Math.max(...(outcome?.waits ?? []))).toBeLessThan(1000)
    expect(outcome?.admitted).toBeGreaterThan(0.85 * 300 * 30)
  })
})

test('a rate that was measured while few were executed is no limit', () => {
  const admission = createAdmission()
  admission.delayed(report(100, { perSecond: 40 }), 0)
  let refused = 0
  for (let at = 0; at < 400; at++)
    if (at % 20 === 0 && admission.admit(`user-${at % 70}` as UserId, false, at) > 0) refused++
  expect(refused).toBe(0)
})

test('entries are admitted again once more exits than could be executed are', () => {
  const admission = createAdmission()
  let [queued, refused] = [0, 0]
  for (let at = 0; at < 40_000; at++) {
    if (at < 20_000 && at % 20 < 3 && admission.admit(`exit-${at % 200}` as UserId, true, at) === 0) queued++
    if (at % 50 === 0) {
      if (admission.admit(`entry-${at % 300}` as UserId, false, at) === 0) queued++
      else if (at > 32_000) refused++
      if (queued > 5) admission.delayed(report(100, { delayMs: 10 * queued, perSecond: 100 }), at)
    }
    if (at % 10 > 0 || queued === 0) continue
    queued--
    admission.executed(true, at)
  }
  expect(refused).toBe(0)
})

test('of several executors, one refuses nothing for what others are sent', () => {
  const users = Array.from({ length: 400 }, (_, index) => `user-${index}` as UserId)
  const ofOne = new Set([...partitions].filter((partition) => partition % 4 === 0))
  const offered = users.filter((userId) => ofOne.has(partitionOf(userId))).length * 10
  const admission = createAdmission()
  let admitted = 0
  for (let at = 0; at < 8000; at++) {
    if (at % 50 === 0)
      admission.delayed(report(0, { partitions: ofOne, delayMs: 130, perSecond: offered / 4 }), at)
    const userId = users[at % users.length] as UserId
    const isAdmitted = admission.admit(userId, false, at) === 0
    if (isAdmitted && ofOne.has(partitionOf(userId)) && at > 4000) admitted++
  }
  expect(admitted).toBeGreaterThan(0.98 * offered)
})

describe('of several intakes', () => {
  /** Alerts at twice the capacity, of whose results so many of the last ones are of this intake; returns what is admitted. */
  function admittedPerSecond(isOwn: (alert: number) => boolean): number {
    const admission = createAdmission()
    let admitted = 0
    for (let at = 0; at < 2000; at++) {
      if (at % 2 === 0) admission.executed(isOwn(at / 2), at)
      if (at % 50 === 0) admission.delayed(report(500, { perSecond: 500 }), at)
      if (admission.admit(`user-${at % 700}` as UserId, false, at) === 0 && at >= 1000) admitted++
    }
    return admitted
  }

  test('each admits its part', () => {
    expect(admittedPerSecond((alert) => alert % 2 === 0)).toBeCloseTo(200, -2)
    expect(admittedPerSecond(() => true)).toBeGreaterThan(340)
  })

  test('one that has begun while the others work admits some', () => {
    expect(admittedPerSecond(() => false)).toBeGreaterThan(80)
  })
})

test('nothing is refused while nothing waits long', () => {
  const [outcome] = simulate([crowd('user', 400, 440)], { perSecond: steadily(450), forMs: 20_000 })
  expect(outcome).toMatchObject({ admitted: 8800, refused: 0 })
})

test('whoever was admitted while shares were small is not refused for it once nothing waits', () => {
  const admission = createAdmission()
  let refused = 0
  for (let at = 0; at < 12_000; at++) {
    if (at < 2000 && at % 50 === 0) admission.delayed(report(100, { perSecond: 100 }), at)
    if (at >= 2000 && at % 20 > 0) continue
    if (admission.admit(`user-${at % 501}` as UserId, false, at) > 0 && at >= 5000) refused++
  }
  expect(refused).toBe(0)
})

test('a clock that leapt by an hour refuses nothing for an hour', () => {
  const admission = createAdmission()
  let refused = 0
  for (let at = 0; at < 60_000; at++) {
    if (at < 5000 && at % 100 === 0)
      admission.delayed(report(100, { delayMs: 3_600_000, perSecond: 100 }), at)
    if (at % 10 === 0 && admission.admit(`user-${at % 700}` as UserId, false, at) > 0 && at >= 30_000)
      refused++
  }
  expect(refused).toBe(0)
})

test('partitions of other executors are not limited', () => {
  const admission = createAdmission()
  for (let at = 0; at < 3000; at += 100) admission.delayed(report(100, { partitions: new Set() }), at)
  for (let at = 3000; at < 3100; at++) expect(admission.admit(`user-${at % 7}` as UserId, false, at)).toBe(0)
})

test('a refused sender is to wait for a second at least', () => {
  const admission = createAdmission()
  const waits: number[] = []
  for (let at = 0; at < 2000; at++) {
    if (at % 100 === 0) admission.delayed(report(40, { perSecond: 40 }), at)
    waits.push(admission.admit('greedy' as UserId, false, at))
  }
  const refused = waits.filter((ms) => ms > 0)
  expect(refused.length).toBeGreaterThan(1900)
  expect(Math.min(...refused)).toBe(1000)
})

test.each([
  { of: 'is late while few come in that time', delayMs: 900, mostPerSecond: 400 },
  { of: 'has done nothing yet', delayMs: 9000, mostPerSecond: 0 },
])('a process that $of refuses none', ({ delayMs, mostPerSecond }) => {
  const admission = createAdmission()
  for (let at = 0; at < 2000; at += 50) {
    admission.delayed(report(mostPerSecond, { delayMs }), at)
    expect(admission.admit(`user-${at % 7}` as UserId, false, at)).toBe(0)
  }
})

test('a process that stays as late however few are admitted does not keep out more and more', () => {
  const admission = createAdmission()
  let admitted = 0
  for (let at = 0; at < 20_000; at++) {
    if (at > 2000 && at % 50 === 0) admission.delayed(report(333, { delayMs: 300 }), at)
    if (at % 3 === 0 && admission.admit(`user-${at % 700}` as UserId, false, at) === 0 && at >= 10_000)
      admitted++
  }
  expect(admitted).toBeGreaterThan(2500)
})

test('a process that gets later while as many are admitted as it has done keeps out more', () => {
  const admission = createAdmission()
  let admitted = 0
  for (let at = 0; at < 5000; at++) {
    if (at % 50 === 0) admission.delayed(report(333, { delayMs: 300 + at / 5 }), at)
    if (at % 3 === 0 && admission.admit(`user-${at % 700}` as UserId, false, at) === 0 && at >= 4000)
      admitted++
  }
  expect(admitted).toBeLessThan(150)
})
