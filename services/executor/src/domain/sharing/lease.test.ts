import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { receiveWindowMs } from '../order/doubt.ts'
import {
  absenceCountsAfterTakeover,
  type BothClocks,
  busClocksMs,
  deadlineOf,
  isHeld,
  isLeftOver,
  isStoreSilent,
  isStoreToBeAsked,
  mayClaim,
  maySign,
  renewalMs,
  type SeenLease,
  unbegunAfter,
  untilRenewal,
  usualTerm,
} from './lease.ts'

const manyRuns = { numRuns: 2000 }
/** Longest lead of a fast clock that the venue may believe. */
const believedSkewMs = 1000

/** A machine's clocks: they begin anywhere, and the monotonic one stops while the machine sleeps. */
interface Machine {
  monotonicAtZero: number
  wallAtZero: number
  sleepsAt: number
  sleepsMs: number
}

function clocksOf(machine: Machine, at: number): BothClocks {
  const slept = Math.min(Math.max(0, at - machine.sleepsAt), machine.sleepsMs)
  return { monotonic: machine.monotonicAtZero + at - slept, wall: machine.wallAtZero + at }
}

/** When the monotonic clock of the machine first shows this. */
function timeOf({ monotonicAtZero, sleepsAt, sleepsMs }: Machine, monotonic: number): number {
  const awake = monotonic - monotonicAtZero
  return awake <= sleepsAt ? awake : awake + sleepsMs
}

const machines: fc.Arbitrary<Machine> = fc.record({
  monotonicAtZero: fc.integer({ min: 0, max: 1_000_000 }),
  wallAtZero: fc.integer({ min: -60_000, max: 60_000 }),
  sleepsAt: fc.integer({ min: 0, max: 10_000 }),
  sleepsMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 })),
})

const delay = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 5000 }))

/** One renewal on its way: it may be lost before it is written, and its answer may be lost after. */
interface Renewal {
  pauseMs: number
  thereMs: number
  backMs: number
  isLost: boolean
  isAnswerLost: boolean
  watchedMs: number
}

const renewals: fc.Arbitrary<Renewal[]> = fc.array(
  fc.record({
    pauseMs: fc.oneof(fc.constant(renewalMs), fc.integer({ min: 0, max: 4000 })),
    thereMs: delay,
    backMs: delay,
    isLost: fc.boolean(),
    isAnswerLost: fc.boolean(),
    watchedMs: delay,
  }),
  { minLength: 1, maxLength: 8 },
)

interface Written {
  sentAt: number
  writtenAt: number
  answeredAt: number
  watchedAt: number
}

/** Returns the stored renewals on a server without other writers; the first one is the holder's claim. */
function write(all: typeof renewals extends fc.Arbitrary<infer Value> ? Value : never): Written[] {
  let sentAt = 0
  let watchedBefore = 0
  return all.flatMap(({ pauseMs, thereMs, backMs, isLost, isAnswerLost, watchedMs }, index) => {
    sentAt += pauseMs
    const isWritten = index === 0 || !isLost
    const writtenAt = sentAt + thereMs
    const answeredAt = isAnswerLost ? Number.POSITIVE_INFINITY : writtenAt + backMs
    // Changes are reported in order, however long each takes.
    watchedBefore = Math.max(watchedBefore, writtenAt + watchedMs)
    return isWritten ? [{ sentAt, writtenAt, answeredAt, watchedAt: watchedBefore }] : []
  })
}

interface Takeover {
  claimedAt: number
  seen: SeenLease
  /** When the bus stored what was seen. */
  storedAt: number
}

/** When a claimant that looks every so often takes over: it claims the revision that it saw, if that is still the one. */
function takeOver(
  written: Written[],
  claimant: Machine,
  everyMs: number,
  thereMs: number,
  hurryMs: number,
): Takeover {
  for (let at = 0; at < 60_000; at += everyMs) {
    const revision = written.findLastIndex(({ watchedAt }) => watchedAt <= at)
    const watched = written[revision]
    if (watched === undefined) continue
    const unchangedSince = clocksOf(claimant, watched.watchedAt).monotonic
    const seen: SeenLease = { revision, isReleased: false, unchangedSince }
    if (!mayClaim(seen, clocksOf(claimant, at).monotonic + hurryMs)) continue
    const claimedAt = at + thereMs
    const current = written.findLastIndex(({ writtenAt }) => writtenAt <= claimedAt)
    if (current === revision) return { claimedAt, seen, storedAt: watched.writtenAt }
  }
  throw new Error('nobody took over')
}

/** The moments at which the holder would sign an order, of those asked for. */
function signings(written: Written[], holder: Machine, claimedAt: number, asked: number[]): number[] {
  return asked.filter((at) => {
    if (at >= holder.sleepsAt && at < holder.sleepsAt + holder.sleepsMs) return false
    // A renewal that the claim overtook is refused.
    const lastWritten = written.findLast(
      ({ writtenAt, answeredAt }) => answeredAt <= at && writtenAt < claimedAt,
    )
    return (
      lastWritten !== undefined &&
      isHeld(deadlineOf(clocksOf(holder, lastWritten.sentAt)), clocksOf(holder, at))
    )
  })
}

interface Race {
  claimant: Machine
  takeover: Takeover
  /** When the holder would have signed orders. */
  signings: number[]
}

/** Races of a holder and a claimant; one in a hurry believes that more time has passed than its clock says. */
const races = (hurryMs = 0): fc.Arbitrary<Race> =>
  fc
    .record({
      all: renewals,
      holder: machines,
      claimant: machines,
      everyMs: fc.integer({ min: 10, max: 1000 }),
      thereMs: delay,
      asked: fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 20 }),
    })
    .map(({ all, holder, claimant, everyMs, thereMs, asked }) => {
      const written = write(all)
      const takeover = takeOver(written, claimant, everyMs, thereMs, hurryMs)
      const { claimedAt } = takeover
      const near = [0, 1, 500, holder.sleepsMs].map((later) => claimedAt + later)
      const limits = written.flatMap(({ sentAt, answeredAt }) => [
        answeredAt,
        sentAt + 2499,
        sentAt + 2500 + holder.sleepsMs,
      ])
      const moments = [...asked, ...near, ...limits, holder.sleepsAt + holder.sleepsMs]
      return { claimant, takeover, signings: signings(written, holder, claimedAt, moments) }
    })

function isHeldByOne({ takeover, signings }: Race): boolean {
  return signings.every((at) => at < takeover.claimedAt)
}

function provesNoOrderAbsent({ claimant, takeover, signings }: Race, soonerMs = 0): boolean {
  const counts = timeOf(claimant, absenceCountsAfterTakeover(takeover.seen, receiveWindowMs)) - soonerMs
  return signings.every((at) => at + receiveWindowMs + believedSkewMs <= counts)
}

/** A claimant that gets the place of a holder some time after that was killed, which signed until then. */
const successions: fc.Arbitrary<{ claimant: Machine; signedAt: number; goneAt: number }> = fc
  .record({
    claimant: machines,
    signedAt: fc.integer({ min: 0, max: 20_000 }),
    afterMs: fc.oneof(fc.constant(0), delay),
  })
  .map(({ claimant, signedAt, afterMs }) => ({ claimant, signedAt, goneAt: signedAt + afterMs }))

describe('a lease of one that is gone', () => {
  const proves = (soonerMs: number) =>
    fc.property(successions, ({ claimant, signedAt, goneAt }) => {
      const { monotonic: goneBy } = clocksOf(claimant, goneAt)
      const seen = { revision: 1, isReleased: false, unchangedSince: goneBy + 10_000, goneBy }
      const counts = timeOf(claimant, absenceCountsAfterTakeover(seen, receiveWindowMs)) - soonerMs
      return signedAt + receiveWindowMs + believedSkewMs <= counts
    })

  test('may be claimed at once', () => {
    expect(mayClaim({ revision: 1, isReleased: false, unchangedSince: 100, goneBy: 50 }, 100)).toBe(true)
  })

  test('proves no order absent that its holder could have signed', () => {
    fc.assert(proves(0), manyRuns)
  })

  test('would do so if absence counted half a second sooner', () => {
    expect(fc.check(proves(500), manyRuns).failed).toBe(true)
  })
})

describe('a lease', () => {
  test('is never held by two, whatever is late, lost or asleep', () => {
    fc.assert(fc.property(races(), isHeldByOne), manyRuns)
  })

  test('that was taken over proves no order absent that its holder could have signed', () => {
    fc.assert(
      fc.property(races(), (race) => provesNoOrderAbsent(race)),
      manyRuns,
    )
  })

  test.each([
    ['the clock of its server is behind that of the alerts', -busClocksMs, true],
    ['both clocks are the same', 0, true],
    ['that clock is so far behind, and more', -busClocksMs - usualTerm.leaseMs - 1000, false],
  ])('that was taken over had nothing signed that was stored later, where %s', (_case, aheadMs, holds) => {
    const isSignedBefore = fc.property(races(), ({ takeover: { storedAt }, signings }) =>
      signings.every((at) => at < unbegunAfter(storedAt + aheadMs)),
    )
    expect(fc.check(isSignedBefore, manyRuns).failed).toBe(!holds)
  })

  test('would be held by two if it were claimed two seconds sooner', () => {
    expect(fc.check(fc.property(races(2000), isHeldByOne), manyRuns).failed).toBe(true)
  })

  test('would prove an order absent that arrives later if absence counted half a second sooner', () => {
    const sooner = fc.property(races(), (race) => provesNoOrderAbsent(race, 500))
    expect(fc.check(sooner, manyRuns).failed).toBe(true)
  })

  const sentAt: BothClocks = { monotonic: 10_000, wall: 1_000_000 }

  test.each([
    ['just after its renewal', 1, 1, true],
    ['just before its end', 2499, 2499, true],
    ['at its end', 2500, 2500, false],
    ['after a sleep that the monotonic clock missed', 1, 2500, false],
    ['after the wall clock was set back', 2500, -60_000, false],
  ])('%s: held %j', (_name, monotonicMs, wallMs, expected) => {
    const at = { monotonic: sentAt.monotonic + monotonicMs, wall: sentAt.wall + wallMs }
    expect(isHeld(deadlineOf(sentAt), at)).toBe(expected)
  })

  const seen: SeenLease = { revision: 7, isReleased: false, unchangedSince: 5000 }

  test.each([
    ['that nobody ever had', undefined, 0, true],
    ['that was released', { ...seen, isReleased: true }, 5000, true],
    ['that was silent for a little less than 3.5 s', seen, 8499, false],
    ['that was silent for 3.5 s', seen, 8500, true],
  ])('%s may be claimed: %j', (_name, lease, now, expected) => {
    expect(mayClaim(lease, now)).toBe(expected)
  })

  test('that its heir leaves goes to one that lacks, before one that has its share', () => {
    const released = { revision: 1, isReleased: true, unchangedSince: 10_000 }
    const isLeftTo = (isSated: boolean, afterMs: number) =>
      isLeftOver(released, { startedAt: 0, isSated }, 10_000 + afterMs)
    expect([1400, 1500, 2200, 2300].map((ms) => isLeftTo(false, ms))).toEqual([false, true, true, true])
    expect([1400, 1500, 2200, 2300].map((ms) => isLeftTo(true, ms))).toEqual([false, false, false, true])
  })

  test('is claimed by nobody on account of a store that is silent, and one renewal a second is no silence', () => {
    expect(isStoreSilent(10_000, 10_000 + renewalMs)).toBe(false)
    expect(isStoreSilent(10_000, 10_000 + 2 * renewalMs)).toBe(true)
    expect(isStoreToBeAsked(10_000, 10_000 + renewalMs)).toBe(true)
  })

  test('survives the loss of one renewal', () => {
    expect(isHeld(deadlineOf(sentAt), { monotonic: 12_400, wall: 1_002_400 })).toBe(true)
    expect(2 * renewalMs).toBeLessThan(2400)
  })

  test('is renewed with an eighth of the others, whenever each of them was claimed', () => {
    const claimedAt = fc.double({ min: 0, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(fc.array(claimedAt, { minLength: 64, maxLength: 64 }), (moments) => {
        const dueAt = moments.map((at, partition) =>
          Math.round((at + untilRenewal(partition, at)) % renewalMs),
        )
        const shared = Map.groupBy(dueAt, (at) => at % renewalMs)
        expect([...shared.keys()].sort((one, other) => one - other)).toEqual(
          [0, 125, 250, 375, 500, 625, 750, 875].map((at) => at % renewalMs),
        )
        expect([...shared.values()].map(({ length }) => length)).toEqual(Array.from({ length: 8 }, () => 8))
      }),
      { numRuns: 200 },
    )
  })

  test('is renewed once a second, also where a timer fires before its time', () => {
    const at = 3125
    expect(untilRenewal(1, at)).toBe(renewalMs)
    expect(untilRenewal(1, at - 1.5)).toBe(renewalMs + 1.5)
    expect(untilRenewal(1, at + 900)).toBe(renewalMs - 900)
  })
})

describe('a request that changes something', () => {
  const tenure = { since: 100, provenAt: 500 }

  test.each([
    ['is signed under a lease that is held', tenure, Number.NEGATIVE_INFINITY, undefined, true],
    ['is not signed under none', undefined, Number.NEGATIVE_INFINITY, undefined, false],
    [
      'is not signed before a renewal that was sent after the clocks were found wrong',
      tenure,
      500,
      undefined,
      false,
    ],
    ['is signed once there was one', tenure, 499, undefined, true],
    ['is signed by a list of this tenure', tenure, Number.NEGATIVE_INFINITY, 100, true],
    ['is not signed by a list of an earlier one', tenure, Number.NEGATIVE_INFINITY, 99, false],
    ['is not signed by a list from before the clocks were found wrong', tenure, 300, 300, false],
  ])('%s', (_name, held, doubtedAt, seenAt, isSigned) => {
    expect(maySign(held, doubtedAt, seenAt)).toBe(isSigned)
  })
})
