import { createLowest, type Lowest } from '../lowest.ts'
import { type LimitTable, type Meter, noLimits } from './limit-table.ts'
import { readRefusal } from './refusal.ts'
import type { Answer, Headers } from './send-form.ts'

/** How pressing a request is: what shrinks risk may go on when others may not. */
export type Urgency = 'entry' | 'read' | 'exit'

/** What of the venue's limits is used; it says so with each answer. */
export interface Limits {
  /** Why a request is not to be sent now, in words; undefined where it may be. */
  objectionTo: (urgency: Urgency) => string | undefined
  /** Takes in what the venue says of its limits with an answer. */
  heed: (answer: Answer) => void
}

/** The share of a limit up to which requests of an urgency are sent; what is kept back is for exits and cancels. */
const shares: Record<Urgency, number> = { entry: 0.9, read: 0.97, exit: Number.POSITIVE_INFINITY }

/** The account placed more orders than it may; the address it came from is not meant. */
const tooManyOrders = -1015

// Where the venue says "too often" without saying for how long.
const usualPauseMs = 10_000

/** What one address has used, for all accounts behind it, and what the venue allows. */
export interface AddressUsage {
  table: LimitTable
  weights: Gauges
  /** What its accounts had left of the orders they may send. */
  accounts: Lowest
  /** Until when the venue wants to hear little from us (429), and nothing at all (418), by our monotonic clock. */
  hushedUntil: number
  bannedUntil: number
}

/** What was used, by the header that told it. */
type Gauges = Map<string, { used: number; window: number }>

/** An address that has used nothing. */
export function createAddressUsage(): AddressUsage {
  const accounts = createLowest()
  return { table: noLimits, weights: new Map(), accounts, hushedUntil: 0, bannedUntil: 0 }
}

/** The limits of one account behind an address; `now` is the venue's clock, by which its windows begin. */
export function createLimits(address: AddressUsage, now: () => number): Limits {
  const orders: Gauges = new Map()
  let noEntriesUntil = 0
  return {
    objectionTo: (urgency) => {
      const waitMs = pauseOf(address, urgency)
      if (waitMs > 0) return leftAlone(waitMs)
      const isFull = (gauges: Gauges, meters: readonly Meter[]): boolean =>
        meters.some((meter) => usedOf(gauges, meter, now()) >= meter.most * shares[urgency])
      if (isFull(address.weights, address.table.weights))
        return 'the requests of this minute are nearly used up'
      const isSpent = performance.now() < noEntriesUntil || isFull(orders, address.table.orders)
      if (urgency === 'entry' && isSpent)
        return 'the orders that the exchange allows in a time are nearly used up'
      return undefined
    },
    heed: (answer) => {
      if (answer.status === 429 || answer.status === 418) {
        const until = performance.now() + pauseIn(answer.headers)
        const isSpent = readRefusal(answer.status, answer.text).code === tooManyOrders
        if (isSpent) noEntriesUntil = until
        else hush(address, answer.status, until)
        if (isSpent) address.accounts.note(0)
      }
      note(address.weights, address.table.weights, answer.headers, now())
      note(orders, address.table.orders, answer.headers, now())
      address.accounts.note(shareLeft(orders, address.table.orders, now()))
    },
  }
}

/** Whether the venue hears nothing of this address now. */
export function isBanned({ bannedUntil }: AddressUsage): boolean {
  return bannedUntil > performance.now()
}

/** Thrown where a request is not sent, since little or nothing is left of what the venue allows. */
export class HeldBackError extends Error {
  constructor(objection: string) {
    super(objection)
    this.name = 'HeldBackError'
  }
}

/** Throws while the venue hears nothing of this address: whoever goes on asking is banned for longer. */
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

function pauseOf({ hushedUntil, bannedUntil }: AddressUsage, urgency: Urgency): number {
  const until = urgency === 'exit' ? bannedUntil : Math.max(hushedUntil, bannedUntil)
  return until - performance.now()
}

function pauseIn(headers: Headers): number {
  const seconds = Number(headers['retry-after'])
  return seconds > 0 ? seconds * 1000 : usualPauseMs
}

function hush(address: AddressUsage, status: 418 | 429, until: number): void {
  if (status === 418) address.bannedUntil = Math.max(address.bannedUntil, until)
  else address.hushedUntil = Math.max(address.hushedUntil, until)
}

function usedOf(gauges: Gauges, { header, windowMs }: Meter, at: number): number {
  const gauge = gauges.get(header)
  return gauge?.window === windowAt(at, windowMs) ? gauge.used : 0
}

/** Answers come in another order than they were counted in: within a window, the highest count is the last. */
function note(gauges: Gauges, meters: readonly Meter[], headers: Headers, at: number): void {
  for (const meter of meters) {
    const text = headers[meter.header]
    const told = Number(text)
    if (text === undefined || !(told >= 0)) continue
    const used = Math.max(told, usedOf(gauges, meter, at))
    gauges.set(meter.header, { used, window: windowAt(at, meter.windowMs) })
  }
}

function windowAt(at: number, windowMs: number): number {
  return Math.floor(at / windowMs)
}
