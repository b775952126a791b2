import { now } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import { isLess, isNegative, isZero, subtract } from '@tripline/proto/decimal'
import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import type { Protection } from '../domain/protection.ts'
import type { Venue } from '../venue/venue.ts'

/** How long a position is looked after whose stop is missing and of which nothing else is watched. */
const keptMs = 24 * 3_600_000

/** Where a position is that a message ordered a stop for. */
export interface ProtectedPlace {
  userId: UserId
  botId: BotId
  symbol: string
  /** Absent where any position of the symbol is meant. */
  positionSide?: Protection['positionSide']
  /** For how many coins the stop was; on spot alone. */
  coins?: string
}

/** A watch that runs, as far as it protects. */
interface Protecting {
  subject: ProtectedPlace
  protection: () => Protection | undefined
}

export interface BarePositionsOptions {
  running: () => Iterable<Protecting>
  /** The venue of the bot; undefined while there is none. */
  venueOf: (botId: BotId) => Venue | undefined
  isLinked: (userId: UserId, botId: BotId) => boolean
  log: Log
}

/** How many positions have no stop at the exchange, and how many stops are missing of which the position is not known. */
export interface BareCounts {
  open: number
  unknown: number
}

/** Positions whose stop was ordered and is not at the exchange. */
export interface BarePositions {
  /** Looks after a position whose stop was refused, or whose watch ended without it. */
  note: (place: ProtectedPlace) => void
  /** Looks which positions are bare now, and logs those that have become so. */
  check: () => void
  counts: () => BareCounts
  /** Forgets what belongs to a partition that is left. */
  leave: (partition: number) => void
}

interface Noted {
  place: ProtectedPlace
  at: number
}

interface State extends BarePositionsOptions {
  /** Those of which no watch runs any more. */
  noted: Map<string, Noted>
  /** What was found last, by place. */
  found: Map<string, 'open' | 'unknown'>
  /** Those that were logged, until they are bare no more. */
  logged: Set<string>
  /** What was held on spot when a stop was first seen to be missing: the coins that it was for, and others. */
  heldFirst: Map<string, string>
}

/** The bare positions among these watches; nothing has been looked at yet. */
export function createBarePositions(options: BarePositionsOptions): BarePositions {
  const state: State = {
    ...options,
    noted: new Map(),
    found: new Map(),
    logged: new Set(),
    heldFirst: new Map(),
  }
  return {
    note: (place) => {
      state.noted.set(nameOf(place), { place, at: now() })
      check(state)
    },
    check: () => check(state),
    counts: () => {
      check(state)
      const of = (kind: 'open' | 'unknown'): number =>
        [...state.found.values()].filter((found) => found === kind).length
      return { open: of('open'), unknown: of('unknown') }
    },
    leave: (partition) => {
      for (const [name, { place }] of state.noted)
        if (partitionOf(place.userId) === partition) state.noted.delete(name)
    },
  }
}

function check(state: State): void {
  const found = new Map<string, 'open' | 'unknown'>()
  const missing = withoutStop(state)
  for (const [name, place] of missing) {
    const quantity = state.venueOf(place.botId)?.positionNow?.(place.symbol, place.positionSide)
    if (quantity !== undefined && isClosed(state, name, place, quantity)) {
      state.noted.delete(name)
      continue
    }
    found.set(name, quantity === undefined ? 'unknown' : 'open')
    if (quantity === undefined || state.logged.has(name)) continue
    state.logged.add(name)
    state.log.warn({ ...place, quantity }, 'a position has no stop at the exchange')
  }
  state.found = found
  for (const name of state.logged) if (!found.has(name)) state.logged.delete(name)
  for (const name of state.heldFirst.keys()) if (!missing.has(name)) state.heldFirst.delete(name)
}

/**
 * True where nothing is left that the stop was for. Coins bear no mark of the message that bought them: so many have to be
 * gone since the stop was seen to be missing that no order could sell what is left of them.
 */
function isClosed(
  { heldFirst, venueOf }: State,
  name: string,
  { botId, symbol, coins }: ProtectedPlace,
  quantity: string,
): boolean {
  if (coins === undefined) return isZero(quantity)
  const first = heldFirst.get(name) ?? quantity
  heldFirst.set(name, first)
  const others = subtract(first, coins)
  const left = isNegative(others) ? quantity : subtract(quantity, others)
  return isZero(left) || isLess(left, venueOf(botId)?.market(symbol)?.minQuantity ?? '0')
}

/** The places of which a stop is missing, and none stands or may stand. */
function withoutStop(state: State): Map<string, ProtectedPlace> {
  const missing = new Map<string, ProtectedPlace>()
  const guarded = new Set<string>()
  for (const { subject, protection } of state.running()) {
    const protects = protection()
    if (protects === undefined) continue
    const { stop } = protects
    const place = placeOf(subject, protects)
    if (stop === 'missing') missing.set(nameOf(place), place)
    if (stop === 'stands' || stop === 'open') guarded.add(nameOf(place)).add(nameOf(placeOf(subject)))
  }
  for (const [name, { place, at }] of state.noted) {
    const isOver = now() - at > keptMs || !state.isLinked(place.userId, place.botId) || guarded.has(name)
    if (isOver) state.noted.delete(name)
    else missing.set(name, place)
  }
  for (const name of guarded) missing.delete(name)
  return missing
}

/** Returns where a position is of what is known of a watch, or of an alert. */
export function placeOf(
  { userId, botId, symbol }: ProtectedPlace,
  { positionSide, coins }: Partial<Protection> = {},
): ProtectedPlace {
  return {
    ...{ userId, botId, symbol },
    ...(positionSide !== undefined && { positionSide }),
    ...(coins !== undefined && { coins }),
  }
}

function nameOf({ botId, symbol, positionSide }: ProtectedPlace): string {
  return `${botId} ${symbol} ${positionSide ?? 'any'}`
}
