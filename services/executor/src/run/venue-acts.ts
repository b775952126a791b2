import { leaptWithin, now } from '@tripline/kit/time/clock'
import type { WatchObservation } from '../domain/group/watch-observe.ts'
import type { Decision } from '../domain/order/attempt.ts'
import { believed, leapMs } from '../domain/order/doubt.ts'
import type { LookUpDepth, OrderRef } from '../domain/order/order.ts'
import type { Venue } from '../venue/venue.ts'
import { type Subject, take } from './loop.ts'

type Sent = Extract<WatchObservation, { of: 'sent' }>

/** Places the order of a command or of a group. */
export async function place<Known, Observation>(
  subject: Subject<Known, Observation | Sent>,
  venue: Pick<Venue, 'place'>,
  decision: Decision,
  isPermitted: () => boolean,
) {
  const { times, onSent } = timed(subject, [decision])
  const placement = await venue.place(decision.plan, onSent, isPermitted)
  return { placement, ...times }
}

/** Places a pair of orders of which the venue ends one with the other. */
export async function placePair<Known, Observation>(
  subject: Subject<Known, Observation | Sent>,
  { placeOco }: Pick<Venue, 'placeOco'>,
  pair: readonly [Decision, Decision],
  isPermitted: () => boolean,
) {
  if (placeOco === undefined) throw new Error('the venue keeps no pairs')
  const [one, other] = pair
  const { times, onSent } = timed(subject, pair)
  const placements = await placeOco([one.plan, other.plan], onSent, isPermitted)
  return { placements, ...times }
}

/** The moments of a sending, before which nothing of it was sent and when it was; and what to call then. */
function timed<Known, Observation>(
  subject: Subject<Known, Observation | Sent>,
  decisions: readonly Decision[],
) {
  const sentAfter = now()
  const times = { sentAfter, sentAt: sentAfter }
  const onSent = (): void => {
    times.sentAt = now()
    take(subject, { of: 'sent', decisions, sentAt: times.sentAt, epoch: subject.epoch() })
  }
  return { times, onSent }
}

/** Asks for an order. */
export async function lookUp(venue: Venue, { ref, depth }: { ref: OrderRef; depth?: LookUpDepth }) {
  const askedAt = now()
  const found = believed(await venue.lookUp(ref, depth), leaptWithin(leapMs))
  return { of: 'lookUp', ref, lookUp: found, askedAt, ...clockOf(venue) } as const
}

/** Cancels an order. */
export async function cancel(venue: Venue, { ref, seenAt }: { ref: OrderRef; seenAt?: number }) {
  return { of: 'cancel', ref, cancellation: await venue.cancel(ref, seenAt) } as const
}

/** By how far the venue's clock is ahead: without that its times could not be read beside ours. */
export function clockOf(venue: Pick<Venue, 'clockAheadMs'>): { clockAheadMs: number } {
  return { clockAheadMs: Number(venue.clockAheadMs().toFixed(3)) }
}
