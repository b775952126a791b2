import type { Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import { isLess, isNegative, isZero, subtract } from '@tripline/proto/decimal'
import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import type { Protection } from '../domain/group/protection.ts'
import type { Venue } from '../venue/venue.ts'
import type { RunningByBot } from './running.ts'

/** Time for which a position without its stop, and without another watch, is looked after. */
const retentionMs = 24 * 3_600_000

/** Place of a position that a message ordered a stop for. */
export interface ProtectedPosition {
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
  subject: ProtectedPosition
  protection: () => Protection | undefined
}

export interface BarePositionsOptions {
  running: Pick<RunningByBot<Protecting>, 'bots' | 'ofBot'>
  /** The venue of the bot; undefined while there is none. */
  venueOf: (botId: BotId) => Venue | undefined
  isLinked: (userId: UserId, botId: BotId) => boolean
  log: Log
}

/** Counts of positions without a stop at the exchange, and of missing stops whose position is not known. */
export interface BareCounts {
  open: number
  unknown: number
}

interface Noted {
  place: ProtectedPosition
  at: number
}

/** Knowledge of a bot's positions, by place. */
interface BotState {
  /** Those of which no watch runs any more. */
  noted: Map<string, Noted>
  /** Result of the last check. */
  found: Map<string, 'open' | 'unknown'>
  /** Those that were logged, until they are bare no more. */
  logged: Set<string>
  /** Held coins on spot when a stop was first seen to be missing: those that it was for, and others. */
  heldFirst: Map<string, string>
}

interface BarePositionsState extends BarePositionsOptions {
  /** The bots of which something is known. */
  bots: Map<BotId, BotState>
}

/** Positions whose stop was ordered and is not at the exchange. */
export type BarePositions = ReturnType<typeof createBarePositions>

/** The bare positions among these watches; nothing has been looked at yet. */
export function createBarePositions(options: BarePositionsOptions) {
  const state: BarePositionsState = { ...options, bots: new Map() }
  return {
    /** Looks after a position whose stop was refused, or whose watch ended without it; looks at no other bot's. */
    note: (place: ProtectedPosition): void => {
      botOf(state, place.botId).noted.set(nameOf(place), { place, at: now() })
      check(state, place.botId)
    },
    /** Looks which positions are bare now, and logs those that have become so. */
    check: (): void => checkAll(state),
    counts: (): BareCounts => {
      checkAll(state)
      const found = [...state.bots.values()].flatMap((bot) => [...bot.found.values()])
      const of = (kind: 'open' | 'unknown'): number => found.filter((one) => one === kind).length
      return { open: of('open'), unknown: of('unknown') }
    },
    /** Forgets what belongs to a partition that is left. */
    leave: (partition: number): void => {
      for (const { noted } of state.bots.values())
        for (const [name, { place }] of noted) if (partitionOf(place.userId) === partition) noted.delete(name)
    },
  }
}

function botOf({ bots }: BarePositionsState, botId: BotId): BotState {
  const known = bots.get(botId)
  const bot = known ?? { noted: new Map(), found: new Map(), logged: new Set(), heldFirst: new Map() }
  bots.set(botId, bot)
  return bot
}

function checkAll(state: BarePositionsState): void {
  for (const botId of new Set([...state.bots.keys(), ...state.running.bots()])) check(state, botId)
}

function check(state: BarePositionsState, botId: BotId): void {
  const bot = botOf(state, botId)
  const found: BotState['found'] = new Map()
  const missing = withoutStop(state, botId, bot)
  const venue = state.venueOf(botId)
  for (const [name, place] of missing) {
    const quantity = venue?.positionNow?.(place.symbol, place.positionSide)
    if (quantity !== undefined && isClosed(bot, name, place, { quantity, venue })) {
      bot.noted.delete(name)
      continue
    }
    found.set(name, quantity === undefined ? 'unknown' : 'open')
    if (quantity === undefined || bot.logged.has(name)) continue
    bot.logged.add(name)
    state.log.warn({ ...place, quantity }, 'a position has no stop at the exchange')
  }
  bot.found = found
  for (const name of bot.logged) if (!found.has(name)) bot.logged.delete(name)
  for (const name of bot.heldFirst.keys()) if (!missing.has(name)) bot.heldFirst.delete(name)
  if (missing.size === 0) state.bots.delete(botId)
}

/**
 * True where nothing is left that the stop was for. Coins bear no mark of the message that bought them: so many have to be
 * gone since the stop was seen to be missing that no order could sell what is left of them.
 */
function isClosed(
  { heldFirst }: BotState,
  name: string,
  { symbol, coins }: ProtectedPosition,
  { quantity, venue }: { quantity: string; venue: Venue | undefined },
): boolean {
  if (coins === undefined) return isZero(quantity)
  const first = heldFirst.get(name) ?? quantity
  heldFirst.set(name, first)
  const others = subtract(first, coins)
  const left = isNegative(others) ? quantity : subtract(quantity, others)
  return isZero(left) || isLess(left, venue?.market(symbol)?.minQuantity ?? '0')
}

/** The bot's places of which a stop is missing, and none stands or may stand. */
function withoutStop(
  { running, isLinked }: BarePositionsState,
  botId: BotId,
  { noted }: BotState,
): Map<string, ProtectedPosition> {
  const missing = new Map<string, ProtectedPosition>()
  const guarded = new Set<string>()
  for (const { subject, protection } of running.ofBot(botId)) {
    const protects = protection()
    if (protects === undefined) continue
    const { stop } = protects
    const place = protectedPositionOf(subject, protects)
    if (stop === 'missing') missing.set(nameOf(place), place)
    if (stop === 'stands' || stop === 'open')
      guarded.add(nameOf(place)).add(nameOf(protectedPositionOf(subject)))
  }
  for (const [name, { place, at }] of noted) {
    const isOver = now() - at > retentionMs || !isLinked(place.userId, place.botId) || guarded.has(name)
    if (isOver) noted.delete(name)
    else missing.set(name, place)
  }
  for (const name of guarded) missing.delete(name)
  return missing
}

/** Returns where a position is of what is known of a watch, or of an alert. */
export function protectedPositionOf(
  { userId, botId, symbol }: ProtectedPosition,
  { positionSide, coins }: Partial<Protection> = {},
): ProtectedPosition {
  return {
    ...{ userId, botId, symbol },
    ...(positionSide !== undefined && { positionSide }),
    ...(coins !== undefined && { coins }),
  }
}

function nameOf({ symbol, positionSide }: ProtectedPosition): string {
  return `${symbol} ${positionSide ?? 'any'}`
}
