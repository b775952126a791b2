import type { Enforcement } from '../backing.ts'

/** The orders that an account may place within a window; `name` is the window in the venue's headers. */
export type OrderLimit = Readonly<{
  name: string
  interval: 'SECOND' | 'MINUTE' | 'DAY'
  intervalNum: number
  lengthMs: number
  limit: number
}>

/** The limits of a market: weight a minute per address (or account), and orders per account. */
export type Limits = Readonly<{ weight: number; orders: readonly OrderLimit[] }>

/** Whether a request may go on. `waitMs` is how long the client is to keep still. */
export type Admission = Readonly<{
  verdict: 'within' | 'exceeded' | 'banned'
  weight: number
  waitMs: number
}>

/** Counts what clients used of the venue's limits within the current window of each. */
export type Usage = Readonly<{
  limits: Limits
  /** Whether requests beyond the limits are refused; only then are they reported. */
  isEnforced: boolean
  /**
   * Whether weight is counted for each account in place of each address; requests of no account are not limited then.
   */
  isPerAccount: boolean
  /** Adds request weight of a client and returns whether it is still within its limit. */
  admit: (client: Client, weight: number, now: number) => Admission
  /** The limit that this many more orders would exceed, or undefined where there is room. */
  exceededBy: (apiKey: string, orders: number, now: number) => OrderLimit | undefined
  /** Adds orders of an account; fewer than none gives some back. Returns the sums, in the order of the limits. */
  countOrders: (apiKey: string, orders: number, now: number) => readonly number[]
}>

/** The address of a request, and the account that it names. */
export type Client = Readonly<{ remoteAddress: string; apiKey: string | undefined }>

/** The use of limits since the window began: clients that used nothing since are not in it. */
type Window = { since: number; readonly used: Map<string, number> }
type Offender = { refused: number; bannedUntil: number }

const MINUTE_MS = 60_000
const BAN_MS = 120_000
// A client that goes on this often after being asked to wait is banned.
const PATIENCE = 20

/** Nothing used yet. Without enforcement everything is counted and nothing refused. */
export function createUsage(limits: Limits, enforcement: Enforcement): Usage {
  const enforced = enforcement !== 'off'
  const isPerAccount = enforcement === 'accounts'
  const weights = newWindow()
  const offenders = new Map<string, Offender>()
  const orders = limits.orders.map((limit) => ({ limit, window: newWindow() }))
  const admit = ({ remoteAddress, apiKey }: Client, cost: number, now: number): Admission => {
    if (isPerAccount && apiKey === undefined) return { verdict: 'within', weight: cost, waitMs: 0 }
    const client = (isPerAccount ? apiKey : undefined) ?? remoteAddress
    const weight = add(weights, client, cost, now, MINUTE_MS)
    if (!enforced) return { verdict: 'within', weight, waitMs: 0 }
    const banned = (offenders.get(client)?.bannedUntil ?? 0) - now
    if (banned > 0) return { verdict: 'banned', weight, waitMs: banned }
    if (weight <= limits.weight) {
      offenders.delete(client)
      return { verdict: 'within', weight, waitMs: 0 }
    }
    return { ...offend(offenders, client, now), weight }
  }
  return {
    limits,
    isEnforced: enforced,
    isPerAccount,
    admit,
    exceededBy: (apiKey, more, now) => {
      const full = ({ limit, window }: (typeof orders)[number]) =>
        more > 0 && usedIn(window, apiKey, now, limit.lengthMs) + more > limit.limit
      return enforced ? orders.find(full)?.limit : undefined
    },
    countOrders: (apiKey, more, now) =>
      orders.map(({ limit, window }) => add(window, apiKey, more, now, limit.lengthMs)),
  }
}

function offend(offenders: Map<string, Offender>, address: string, now: number): Omit<Admission, 'weight'> {
  const waitMs = MINUTE_MS - (now % MINUTE_MS)
  const known = offenders.get(address)
  const refused = (known?.refused ?? 0) + 1
  if (refused <= PATIENCE) {
    offenders.set(address, { refused, bannedUntil: 0 })
    return { verdict: 'exceeded', waitMs }
  }
  offenders.set(address, { refused: 0, bannedUntil: now + BAN_MS })
  return { verdict: 'banned', waitMs: BAN_MS }
}

function newWindow(): Window {
  return { since: 0, used: new Map() }
}

function usedIn({ since, used }: Window, key: string, now: number, lengthMs: number): number {
  return since === beginOf(now, lengthMs) ? (used.get(key) ?? 0) : 0
}

function add(window: Window, key: string, amount: number, now: number, lengthMs: number): number {
  const since = beginOf(now, lengthMs)
  if (window.since !== since) window.used.clear()
  window.since = since
  const used = Math.max(0, (window.used.get(key) ?? 0) + amount)
  window.used.set(key, used)
  return used
}

function beginOf(now: number, lengthMs: number): number {
  return now - (now % lengthMs)
}
