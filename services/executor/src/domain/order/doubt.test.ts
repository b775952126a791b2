import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type AbsenceRule, absenceRules } from './absence.ts'
import {
  absenceCountsAfterSending,
  believed,
  type Doubt,
  depthOf,
  doubtFrom,
  isGivenUp,
  isProvenAbsent,
  receiveWindowMs,
  sawAbsence,
  sawNothing,
} from './doubt.ts'

const manyRuns = { numRuns: 1000 }
const giveUpMs = 60_000

/** A venue that shows at once what it has. */
const prompt: AbsenceRule = { ...absenceRules.paper_futures, readsLagMs: 0, immediateLagMs: 0 }
const doubtAt = (now: number, notAbsentBefore: number): Doubt =>
  doubtFrom(now, { rule: prompt, notAbsentBefore })

/** One look-up: how long after it is due it is asked, how long the venue takes, and when in between it looks. */
interface LookUp {
  lateMs: number
  takesMs: number
  /** 0: looks as soon as it is asked, 1: just before it answers. */
  looksAt: number
  isReached: boolean
}

const lookUps = (reached: fc.Arbitrary<boolean>): fc.Arbitrary<LookUp[]> =>
  fc.array(
    fc.record({
      lateMs: fc.integer({ min: 0, max: 500 }),
      takesMs: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 5000 })),
      looksAt: fc.double({ min: 0, max: 1, noNaN: true }),
      isReached: reached,
    }),
    { minLength: 1, maxLength: 100 },
  )

interface Asked {
  askedAt: number
  answeredAt: number
  answer: 'found' | 'absent' | 'unreachable'
}

/** Asks as the doubt says until the order is found, proven absent, given up, or the look-ups are used up. */
function ask(
  start: Doubt,
  lookUps: LookUp[],
  arrivesAt: number,
): { end: 'found' | 'absent' | 'given up' | 'open'; asked: Asked[] } {
  const asked: Asked[] = []
  let doubt = start
  let now = start.since
  for (const { lateMs, takesMs, looksAt, isReached } of lookUps) {
    const askedAt = Math.max(now, doubt.nextLookUpAt) + lateMs
    if (isGivenUp(doubt.since, askedAt)) return { end: 'given up', asked }
    now = askedAt + takesMs
    const sees = askedAt + takesMs * looksAt >= arrivesAt
    const answer = !isReached ? 'unreachable' : sees ? 'found' : 'absent'
    asked.push({ askedAt, answeredAt: now, answer })
    if (answer === 'found') return { end: 'found', asked }
    doubt = isReached ? sawAbsence(doubt, askedAt, now, { outcome: 'absent' }) : sawNothing(doubt, now)
    if (isProvenAbsent(doubt)) return { end: 'absent', asked }
  }
  return { end: 'open', asked }
}

const never = Number.POSITIVE_INFINITY

describe('an order in doubt', () => {
  test('is never proven absent while it can still arrive', () => {
    const sending = fc.record({
      sentAt: fc.integer({ min: 0, max: 1_000_000 }),
      unansweredMs: fc.integer({ min: 0, max: 4000 }),
      // The venue may believe a clock that is a second fast, and so take an order that much later.
      underwayMs: fc.integer({ min: 0, max: receiveWindowMs + 1000 }),
    })
    fc.assert(
      fc.property(sending, lookUps(fc.boolean()), ({ sentAt, unansweredMs, underwayMs }, lookUps) => {
        const unknownAt = sentAt + unansweredMs
        const doubt = doubtAt(unknownAt, absenceCountsAfterSending(unknownAt))
        expect(ask(doubt, lookUps, sentAt + underwayMs).end).not.toBe('absent')
      }),
      manyRuns,
    )
  })

  test('is proven absent only by three look-ups over two seconds, the last after it could arrive', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000, max: 10_000 }),
        lookUps(fc.boolean()),
        (notAbsentBefore, lookUps) => {
          const { end, asked } = ask(doubtAt(0, notAbsentBefore), lookUps, never)
          if (end !== 'absent') return
          const absences = asked.filter(({ answer }) => answer === 'absent')
          const [first, last] = [absences[0]?.askedAt ?? 0, absences.at(-1)?.askedAt ?? 0]
          expect(absences.length).toBeGreaterThanOrEqual(3)
          expect(last - first).toBeGreaterThanOrEqual(2000)
          expect(last).toBeGreaterThanOrEqual(notAbsentBefore)
        },
      ),
      manyRuns,
    )
  })

  test('is proven absent soon after it can no longer arrive, where the venue answers', () => {
    const promptly = lookUps(fc.constant(true)).map((all) =>
      Array.from({ length: 100 }, (_, index) => ({
        lateMs: all[index % all.length]?.lateMs ?? 0,
        takesMs: 20,
        looksAt: 0,
        isReached: true,
      })),
    )
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 10_000 }), promptly, (notAbsentBefore, lookUps) => {
        const { end, asked } = ask(doubtAt(0, notAbsentBefore), lookUps, never)
        expect(end).toBe('absent')
        const latest = Math.max(notAbsentBefore, 2000) + 3000
        expect(asked.at(-1)?.answeredAt).toBeLessThanOrEqual(latest)
      }),
      manyRuns,
    )
  })

  test('is not proven absent by a venue that cannot be asked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000, max: 10_000 }),
        lookUps(fc.constant(false)),
        (before, lookUps) => {
          expect(['given up', 'open']).toContain(ask(doubtAt(0, before), lookUps, never).end)
        },
      ),
    )
  })

  test('is given up after a minute, not sooner, and the venue is not flooded until then', () => {
    const hasty = Array.from({ length: 1000 }, () => ({
      lateMs: 0,
      takesMs: 1,
      looksAt: 0,
      isReached: false,
    }))
    const { end, asked } = ask(doubtAt(0, 4000), hasty, never)
    expect({ end, isGivenUpSooner: isGivenUp(0, giveUpMs - 1) }).toEqual({
      end: 'given up',
      isGivenUpSooner: false,
    })
    expect(asked.length).toBeLessThan(70)
    expect(asked.at(-1)?.askedAt).toBeGreaterThan(giveUpMs - 2000)
  })

  test('is asked for at once, and then at growing distances', () => {
    const eager = Array.from({ length: 5 }, () => ({ lateMs: 0, takesMs: 0, looksAt: 0, isReached: false }))
    const { asked } = ask(doubtAt(500, 0), eager, never)
    expect(asked.map(({ askedAt }) => askedAt)).toEqual([500, 650, 1500, 2500, 3500])
  })

  test('is asked for repeatedly while its absence proves nothing, and when it does', () => {
    const absent = Array.from({ length: 20 }, () => ({ lateMs: 0, takesMs: 0, looksAt: 0, isReached: true }))
    const { end, asked } = ask(doubtAt(0, 7000), absent, never)
    expect({ end, askedAt: asked.map(({ askedAt }) => askedAt) }).toEqual({
      end: 'absent',
      askedAt: [0, 150, 1000, 2000, 3000, 4000, 6000, 7000],
    })
  })

  test('is asked for three times where a former owner sent it, everywhere once that proves it', () => {
    const rule = absenceRules.binance_futures_usdt
    let doubt = doubtFrom(0, { rule, notAbsentBefore: 4000, isImmediate: true, isInherited: true })
    const asked: [number, string][] = []
    while (!isProvenAbsent(doubt)) {
      const at = doubt.nextLookUpAt
      const depth = depthOf(doubt, at)
      asked.push([at, depth])
      doubt = sawAbsence(doubt, at, at, { outcome: 'absent', depth })
    }
    expect(asked).toEqual([
      [0, 'usual'],
      [1000, 'usual'],
      [24_000, 'everywhere'],
    ])
  })

  const observed = fc.record({
    lateMs: fc.integer({ min: 0, max: 900 }),
    depth: fc.constantFrom('usual' as const, 'everywhere' as const),
    liveSince: fc.option(fc.integer({ min: -2000, max: 2000 }), { nil: undefined }),
    verifiedMs: fc.integer({ min: -3000, max: 0 }),
  })

  test.each(Object.keys(absenceRules) as (keyof typeof absenceRules)[])(
    'is proven absent at %s only by a look everywhere, late enough for reads or compared with a stream without a gap',
    (market) => {
      const rule = absenceRules[market]
      fc.assert(
        fc.property(
          fc.integer({ min: -10_000, max: 10_000 }),
          fc.boolean(),
          fc.boolean(),
          fc.array(observed, { maxLength: 80 }),
          (notAbsentBefore, isImmediate, isThere, looks) => {
            const sentAfter = 0
            let doubt = doubtFrom(0, { rule, notAbsentBefore, sentAfter, isImmediate, isThere })
            let agreedAt = never
            for (const { lateMs, depth, liveSince, verifiedMs } of looks) {
              const at = doubt.nextLookUpAt + lateMs
              if (depth === 'everywhere' && at >= notAbsentBefore + rule.engineMs + rule.readsLagMs)
                agreedAt = Math.min(agreedAt, at)
              const stream =
                liveSince === undefined ? undefined : { liveSince, verifiedUntil: at + verifiedMs }
              doubt = sawAbsence(doubt, at, at, { outcome: 'absent', depth, stream })
              if (!isProvenAbsent(doubt)) continue
              const arrivedBy = notAbsentBefore + rule.engineMs
              const byReads = isImmediate ? arrivedBy + rule.immediateLagMs : agreedAt + rule.readsLagMs
              const isShown = rule.lookIn === 'usual' ? at >= arrivedBy : at >= byReads
              const reportedBy = arrivedBy + (rule.streamReportsMs ?? never)
              const isByStream = (liveSince ?? never) <= sentAfter && at + verifiedMs >= reportedBy
              expect(isThere || (depth === 'usual' && rule.lookIn === 'everywhere')).toBe(false)
              expect(isByStream || isShown).toBe(true)
              return
            }
          },
        ),
        manyRuns,
      )
    },
  )

  test('is not proven absent by an answer that took so long that the order came meanwhile', () => {
    const slow: LookUp[] = [0, 0, 4500].map((takesMs) => ({
      lateMs: 0,
      takesMs,
      looksAt: 0,
      isReached: true,
    }))
    expect(ask(doubtAt(0, 4000), slow, 3000).end).toBe('open')
  })
})

test('an absence proves nothing where the clock may have leapt, and any other answer counts', () => {
  expect(believed({ outcome: 'absent' }, false)).toEqual({ outcome: 'absent' })
  expect(believed({ outcome: 'absent' }, true)).toMatchObject({ outcome: 'unreachable' })
  const unreachable = { outcome: 'unreachable', cause: 'no answer' } as const
  expect(believed(unreachable, true)).toBe(unreachable)
})
