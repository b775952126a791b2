import type { Command } from '@tripline/proto/language/tree'

const minuteMs = 60_000
const dayMs = 86_400_000

/** About what the events of one order take on the bus, until it has ended, or those of a command that places none. */
const eventBytes = 4000

/** The cost of an alert: its message in the stream, the commands to be run, and the orders of its events. */
export interface Cost {
  bytes: number
  commands: number
  orders: number
}

/** Returns the most orders that a command may place; one that places none counts as one. */
export function mostOrders(command: Command): number {
  switch (command.type) {
    case 'stopOrTakeProfit':
      return 2
    case 'oneCancelsOther':
      return command.legs.length
    default:
      return 1
  }
}

/** The most that one user may have stored: in a minute, in a day, and waiting to be run. */
export interface Quotas {
  bytesPerMinute: number
  commandsPerMinute: number
  /** Of alerts and of the events of their commands. */
  storedBytesPerDay: number
  bytesWaiting: number
  commandsWaiting: number
  alertsWaiting: number
}
export type QuotaName = keyof Quotas

/** Quotas that nothing exceeds. */
export const unlimited: Quotas = {
  bytesPerMinute: Number.MAX_SAFE_INTEGER,
  commandsPerMinute: Number.MAX_SAFE_INTEGER,
  storedBytesPerDay: Number.MAX_SAFE_INTEGER,
  bytesWaiting: Number.MAX_SAFE_INTEGER,
  commandsWaiting: Number.MAX_SAFE_INTEGER,
  alertsWaiting: Number.MAX_SAFE_INTEGER,
}

/** The share of alerts that only close or cancel, of what all may take: the part above it is theirs alone. */
export const exitShare = 1.25

/** So large a share of each quota. */
export function shareOf(quotas: Quotas, share: number): Quotas {
  return {
    bytesPerMinute: quotas.bytesPerMinute * share,
    commandsPerMinute: quotas.commandsPerMinute * share,
    storedBytesPerDay: quotas.storedBytesPerDay * share,
    bytesWaiting: quotas.bytesWaiting * share,
    commandsWaiting: quotas.commandsWaiting * share,
    alertsWaiting: quotas.alertsWaiting * share,
  }
}

/** The cost of a user's alerts in the present minute and the present day, by their numbers since the epoch. */
export interface Spending {
  minute: number
  bytes: number
  commands: number
  day: number
  storedBytes: number
}

/** Nothing spent in the minute and the day of this moment. */
export function nothingSpent(now: number): Spending {
  return { minute: minuteOf(now), bytes: 0, commands: 0, day: dayOf(now), storedBytes: 0 }
}

/** Returns the part of it that still counts at this moment. */
export function spentAt(spending: Spending, now: number): Spending {
  const fresh = nothingSpent(now)
  const ofMinute = spending.minute >= fresh.minute ? spending : fresh
  const ofDay = spending.day >= fresh.day ? spending : fresh
  const { minute, bytes, commands } = ofMinute
  return { minute, bytes, commands, day: ofDay.day, storedBytes: ofDay.storedBytes }
}

/** The spending with one more alert. */
export function withCost(spending: Spending, cost: Cost): Spending {
  const { bytes, commands } = cost
  return {
    ...spending,
    bytes: spending.bytes + bytes,
    commands: spending.commands + commands,
    storedBytes: spending.storedBytes + storedBytes(cost),
  }
}

/** Returns the bytes of an alert and its events on the bus, more or less. */
export function storedBytes({ bytes, orders }: Cost): number {
  return bytes + orders * eventBytes
}

/** A quota that one more alert would exceed, or the room that is left for all users' alerts, and for how long. */
export interface Excess {
  quota: QuotaName | 'roomLeft'
  waitMs: number
}

/** The quota of a minute or a day that this spending is above; undefined where it is above none. */
export function excessOf(
  { bytes, commands, storedBytes: stored }: Spending,
  quotas: Quotas,
  now: number,
): Excess | undefined {
  if (stored > quotas.storedBytesPerDay) return { quota: 'storedBytesPerDay', waitMs: dayMs - (now % dayMs) }
  const waitMs = minuteMs - (now % minuteMs)
  if (bytes > quotas.bytesPerMinute) return { quota: 'bytesPerMinute', waitMs }
  return commands > quotas.commandsPerMinute ? { quota: 'commandsPerMinute', waitMs } : undefined
}

/** The share of a day's bytes from which on their user gets a notice, once. */
const nearShare = 0.8

/**
 * True if this cost, the last that was added to the spending, took it to the share from which its user gets a notice.
 */
export function isNearBy(cost: Cost, { storedBytes: stored }: Spending, quotas: Quotas): boolean {
  const near = quotas.storedBytesPerDay * nearShare
  return stored >= near && stored - storedBytes(cost) < near
}

/** The words for that. */
export function nearText({ storedBytesPerDay }: Quotas): string {
  return `Alerts and their events have taken ${nearShare * 100}% of the ${storedBytesPerDay} bytes that one account may have stored in a day. Beyond them alerts are refused until midnight UTC. An alert that only closes or cancels is still taken.`
}

function minuteOf(now: number): number {
  return (now - (now % minuteMs)) / minuteMs
}

function dayOf(now: number): number {
  return (now - (now % dayMs)) / dayMs
}
