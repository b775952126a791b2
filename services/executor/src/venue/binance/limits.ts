import { createLowest, type Lowest } from '@tripline/kit/time/lowest'
import { HeldBackError } from '../http/refusal.ts'
import type { Urgency as AnyUrgency } from '../http/rest-client.ts'
import type { Answer, Headers } from '../http/send-fresh.ts'
import { createSharers, isBeyondShare, type Sharers } from '../limits/fair-share.ts'
import { type LimitTable, type Meter, noLimits } from './limit-table.ts'
import { readRefusal } from './refusal.ts'

type Urgency = Exclude<AnyUrgency, 'lookUp'>

/** The use of the venue's limits, which it reports with each answer. */
export interface Limits {
  /** Why a request is not to be sent now, in words; undefined where it may be. */
  objectionTo: (urgency: Urgency) => string | undefined
  /** Counts a question as used until it is answered; returns what to call then. */
  enter: () => () => void
  /** The same for a cancel; throws where its user has canceled so many orders that others are to find room. */
  enterCancel: () => () => void
  /** Takes in what the venue says of its limits with an answer. */
  heed: (answer: Answer) => void
}

/**
 * The share of a limit up to which requests of an urgency are sent: questions leave room for entries, and these for what
 * shrinks risk. Cancels beyond a user's few leave room for questions, too.
 */
const shares: Record<Urgency, number> = { read: 0.7, cancel: 0.5, entry: 0.95, exit: 0.97 }
// So much of a limit a user's cancels may take that count as exits: orders that were placed by hand cost us nothing before.
const fewCancels = 0.02
// Of the orders of an account, which have limits of their own.
const mostOrders = 0.9
// A user who had less of the limit than this is never held back from what shrinks risk.
const mostOwnShare = 0.25
// The weight of a request that is not answered yet, as most have it.
const usualWeight = 5
// More than a question weighs: a leap of the count was for questions of others, whose answers are still on their way.
const mostWeight = 40

/** The account placed more orders than it may; the address it came from is not meant. */
const tooManyOrders = -1015

// The pause after "too often" from a venue that does not say for how long.
const usualPauseMs = 10_000

/** The use of the requests that a venue allows an address, or an account if it counts by accounts. */
interface Pot {
  weights: Gauges
  /** The use of each user. */
  users: Sharers<UserUse>
  unanswered: number
  /** Until when the venue asks us to slow down (429), and refuses us (418), by our monotonic clock. */
  hushedUntil: number
  bannedUntil: number
}

interface UserUse {
  weights: Gauges
  unanswered: number
  /** The number of orders it had canceled. */
  cancels: Gauges
}

/** The use of one address, for all accounts behind it, and what the venue allows. */
export interface AddressUsage extends Pot {
  table: LimitTable
  /** The rest of the orders that its accounts may send. */
  accounts: Lowest
}

/** The use by the header that reported it. */
type Gauges = Map<string, { used: number; window: number }>

/** An address that has used nothing. */
export function createAddressUsage(): AddressUsage {
  return { ...createPot(), table: noLimits, accounts: createLowest() }
}

function createPot(): Pot {
  return { weights: new Map(), users: createSharers(noUse), unanswered: 0, hushedUntil: 0, bannedUntil: 0 }
}

/**
 * The limits of one account behind an address; `now` is the venue's clock, by which its windows begin. Requests of its
 * user count against a fair share of the address.
 */
export function createLimits(address: AddressUsage, now: () => number, userId?: string): Limits {
  const orders: Gauges = new Map()
  const ownPot = createPot()
  const nobody = noUse()
  const asking = (): UserUse => (userId === undefined ? nobody : address.users.asking(userId, now()))
  asking()
  let noEntriesUntil = 0
  const pot = (): Pot => (address.table.isPerAccount ? ownPot : address)
  const objectionTo: Limits['objectionTo'] = (urgency) => {
    const waitMs = Math.max(pauseOf(pot(), urgency), pauseOf(address, urgency))
    if (waitMs > 0) return leftAlone(waitMs)
    const own = asking()
    if (address.table.weights.some((meter) => isUsedUp(pot(), own, meter, urgency, now())))
      return 'the requests of this minute are nearly used up'
    const isSpent =
      performance.now() < noEntriesUntil ||
      address.table.orders.some((meter) => usedOf(orders, meter, now()) >= meter.most * mostOrders)
    if (urgency === 'entry' && isSpent)
      return 'the orders that the exchange allows in a time are nearly used up'
    return undefined
  }
  const enter: Limits['enter'] = () => {
    const counted = pot()
    const own = asking()
    counted.unanswered++
    own.unanswered++
    return () => {
      counted.unanswered--
      own.unanswered--
    }
  }
  return {
    objectionTo,
    enter,
    enterCancel: () => {
      const { cancels } = asking()
      const { weights } = address.table
      const isMany = weights.some(
        (meter) => usedOf(cancels, meter, now()) >= Math.max(1, meter.most * fewCancels),
      )
      const objection = objectionTo(isMany ? 'cancel' : 'exit')
      if (objection !== undefined) throw new HeldBackError(objection)
      for (const { header, windowMs } of weights) {
        const used = usedOf(cancels, { header, windowMs }, now()) + 1
        cancels.set(header, { used, window: windowAt(now(), windowMs) })
      }
      return enter()
    },
    heed: (answer) => {
      if (answer.status === 429 || answer.status === 418) {
        const until = performance.now() + pauseIn(answer.headers)
        const isSpent = readRefusal(answer.status, answer.text).code === tooManyOrders
        if (isSpent) noEntriesUntil = until
        else hush(pot(), answer.status, until)
        if (isSpent) address.accounts.note(0)
      }
      note(pot().weights, address.table.weights, answer.headers, now(), asking().weights)
      note(orders, address.table.orders, answer.headers, now())
      address.accounts.note(shareLeft(orders, address.table.orders, now()))
    },
  }
}

function noUse(): UserUse {
  return { weights: new Map(), unanswered: 0, cancels: new Map() }
}

function isUsedUp(pot: Pot, user: UserUse, meter: Meter, urgency: Urgency, at: number): boolean {
  const used = usedOf(pot.weights, meter, at) + pot.unanswered * usualWeight
  const own = usedOf(user.weights, meter, at) + user.unanswered * usualWeight
  const isShared = pot.users.areSeveral(at)
  // Requests that shrink risk are held back only from users who have had half of what there is, and never while an
  // entry is not.
  if (urgency === 'exit' && (!isShared || own < meter.most * mostOwnShare)) return false
  if (urgency === 'exit' && !isUsedUp(pot, user, meter, 'entry', at)) return false
  const most = meter.most * shares[urgency]
  const times = urgency === 'exit' || urgency === 'cancel' ? 1 : 2
  return isBeyondShare({ most, used, own: isShared ? own : undefined, times })
}

/** Whether the venue refuses this address now. */
export function isBanned({ bannedUntil }: AddressUsage): boolean {
  return bannedUntil > performance.now()
}

/** Throws while the venue refuses this address: a client that goes on asking is banned for longer. */
export function refuseWhileBanned(address: AddressUsage): void {
  const waitMs = pauseOf(address, 'exit')
  if (waitMs > 0) throw new HeldBackError(leftAlone(waitMs))
}

/** Takes in that the venue finds an address too busy, or has banned it; for how long, it says with that. */
export function heedAddress(address: AddressUsage, { status, headers }: Omit<Answer, 'text'>): void {
  if (status === 429 || status === 418) hush(address, status, performance.now() + pauseIn(headers))
}

function leftAlone(waitMs: number): string {
  return `the exchange wants to be left alone for ${Math.ceil(waitMs / 1000)} s`
}

/** The share that is left of the requests of an address, by the fullest of its windows. */
export function budgetLeft({ table, weights }: AddressUsage, at: number): number {
  return shareLeft(weights, table.weights, at)
}

function shareLeft(gauges: Gauges, meters: readonly Meter[], at: number): number {
  return Math.max(0, 1 - Math.max(0, ...meters.map((meter) => usedOf(gauges, meter, at) / meter.most)))
}

function pauseOf({ hushedUntil, bannedUntil }: Pot, urgency: Urgency): number {
  const until = urgency === 'exit' ? bannedUntil : Math.max(hushedUntil, bannedUntil)
  return until - performance.now()
}

function pauseIn(headers: Headers): number {
  const seconds = Number(headers['retry-after'])
  return seconds > 0 ? seconds * 1000 : usualPauseMs
}

function hush(pot: Pot, status: 418 | 429, until: number): void {
  if (status === 418) pot.bannedUntil = Math.max(pot.bannedUntil, until)
  else pot.hushedUntil = Math.max(pot.hushedUntil, until)
}

function usedOf(gauges: Gauges, { header, windowMs }: Omit<Meter, 'most'>, at: number): number {
  const gauge = gauges.get(header)
  return gauge?.window === windowAt(at, windowMs) ? gauge.used : 0
}

/**
 * Answers come in another order than they were counted in: within a window, the highest count is the last. By how much
 * it rises was used for the one who was answered.
 */
function note(gauges: Gauges, meters: readonly Meter[], headers: Headers, at: number, ofUser?: Gauges): void {
  for (const meter of meters) {
    const text = headers[meter.header]
    const reported = Number(text)
    if (text === undefined || !(reported >= 0)) continue
    const before = usedOf(gauges, meter, at)
    const window = windowAt(at, meter.windowMs)
    gauges.set(meter.header, { used: Math.max(reported, before), window })
    const own = Math.min(mostWeight, Math.max(0, reported - before))
    ofUser?.set(meter.header, { used: usedOf(ofUser, meter, at) + own, window })
  }
}

function windowAt(at: number, windowMs: number): number {
  return Math.floor(at / windowMs)
}
