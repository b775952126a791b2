import type { CommandResult } from '@tripline/proto/command-result'
import { isLess, isZero, plain } from '@tripline/proto/decimal'
import type { EntryNote } from '@tripline/proto/entry-note'
import type {
  Amount,
  Command,
  LimitCommand,
  MarketCommand,
  PositionSide,
} from '@tripline/proto/language/tree'
import type { AccountReading } from '../account/account.ts'
import { lastEntryOf } from '../account/last-entry.ts'
import type { Attempt } from '../order/attempt.ts'
import type { Ending } from '../order/ending.ts'
import { isTerminal, type OrderPlan, type VenueOrder } from '../order/order.ts'
import { placesOrders } from '../resolve/command.ts'
import type { Execution } from './state.ts'

/**
 * Returns what a command that ends now means for the bot's entries; `wasFlat`: nothing was held when it placed
 * first. Spot has none: a sale there can open nothing.
 */
export function entryNotesOf(
  { commands, outcomes, market, current }: Execution,
  outcome: Pick<CommandResult, 'result'>,
  now: number,
  wasFlat = false,
): EntryNote[] {
  const command = commands[outcomes.length]
  if (market.kind === 'spot' || command === undefined) return []
  const { orders = [], reading, canceling } = current
  if (command.type === 'cancel') return (canceling?.targets ?? []).flatMap((target) => endOf(target, now))
  const isAtOnce = command.type === 'market' || (command.type === 'limit' && neverRests(command))
  const seen = { reading, wasFlat, isAtOnce, at: now, command }
  const isClosed = isAtOnce && wantsFlat(command) && orders.some(({ found }) => found?.status === 'filled')
  const ended = isClosed
    ? [{ of: 'flat', positionSide: sideOf(command) } as const]
    : endedBy(command, outcome, reading)
  return [
    ...orders.flatMap((attempt) => orderNotes(attempt, seen)),
    ...ended.map(({ of, positionSide }) => ({ of, positionSide, at: now })),
  ]
}

/** Returns notes on the bot's entries from the end of a watched order; one that is not found is gone. */
export function watchedEntryNotes(attempt: Attempt, now: number): EntryNote[] {
  const { found, ref } = attempt
  if (found === undefined) return [{ of: 'ended', at: now, clientOrderId: ref.clientOrderId, filled: '0' }]
  const { updatedAt } = found
  // The venue's clock may be ahead of ours, by which what comes next is counted.
  const isBefore = updatedAt !== null && updatedAt < now
  return orderNotes(attempt, { isAtOnce: false, at: isBefore ? updatedAt : now })
}

function sideOf(command: Command | undefined): PositionSide {
  return (command !== undefined && 'positionSide' in command ? command.positionSide : undefined) ?? 'both'
}

/** True for a command whose order, where it is not reduce-only, opens or turns: an order that only closes is sent reduce-only. */
function canOnlyOpen(command: Command | undefined): boolean {
  if (command?.type !== 'market' && command?.type !== 'limit' && command?.type !== 'stopOrder') return false
  return command.position !== undefined || command.amount?.basis === 'percent'
}

function wantsFlat({ position }: Pick<MarketCommand, 'position'>): boolean {
  return position !== undefined && isZero(position.value)
}

function neverRests({ tif }: LimitCommand): boolean {
  return tif === 'ioc' || tif === 'fok'
}

function endOf({ found, ref: { clientOrderId } }: Attempt, at: number): EntryNote[] {
  if (found === undefined || !isTerminal(found)) return []
  return [{ of: 'ended', at, clientOrderId, filled: plain(found.filled) }]
}

/** When an order was seen, and by what its command was decided on. */
interface Seen {
  reading?: AccountReading | undefined
  /** Nothing was held before it, where that was not read. */
  wasFlat?: boolean
  isAtOnce: boolean
  at: number
  /** Its command, for an order of which only its id is known. */
  command?: Command
}

function orderNotes({ found, decision }: Attempt, seen: Seen): EntryNote[] {
  if (found === undefined) return []
  const { isAtOnce, at, command } = seen
  const plan = decision?.plan
  const { positionSide = sideOf(command) } = plan ?? {}
  const held = plan === undefined ? undefined : heldBefore(seen, positionSide)
  const { reduceOnly } = plan ?? found
  return [
    {
      of: 'order',
      ...{ positionSide, at, clientOrderId: found.clientOrderId, side: found.side },
      quantity: plain(isTerminal(found) ? found.filled : found.quantity),
      filled: plain(found.filled),
      reduceOnly,
      ...(plan === undefined && !reduceOnly && canOnlyOpen(command) && { isEntry: true }),
      rests: !isTerminal(found),
      isAtOnce,
      ...(held !== undefined && { held: plain(held) }),
      how: inWords(found, plan),
    },
  ]
}

function heldBefore({ reading, wasFlat }: Seen, side: PositionSide): string | undefined {
  const read = side === 'both' ? reading?.position : reading?.hedged?.[side].quantity
  return read ?? (wasFlat === true ? '0' : undefined)
}

/** The order as what closes a position. */
function inWords(found: VenueOrder, plan: OrderPlan | undefined): string {
  const { type, triggerPrice, price } = { ...found, ...plan }
  const at = (where: string | null): string => (where === null ? '' : ` at ${plain(where)}`)
  if (type === 'stop' || type === 'stopLimit') return `its stop${at(triggerPrice)}`
  if (type === 'takeProfit' || type === 'takeProfitLimit') return `its take profit${at(triggerPrice)}`
  if (type === 'limit') return `its limit${at(price)}`
  return `a market ${found.side}${at(found.averagePrice)}`
}

interface Ended {
  of: 'flat' | 'nothing'
  positionSide: PositionSide
}

/**
 * The entries that a command ended by finding nothing to do: of one that rests there is nothing to close yet,
 * and one of its own side it was not to close.
 */
export function endedBy(
  command: Command,
  { result }: Pick<Ending, 'result'>,
  reading: Pick<AccountReading, 'lastEntries'> | undefined,
): Ended[] {
  if (result === null || !('code' in result) || !placesOrders(command)) return []
  const legs = command.type === 'oneCancelsOther' ? command.legs : [command]
  return legs.flatMap((leg): Ended[] => {
    const { positionSide = 'both' } = leg
    if (result.code !== 'N804') return wantsFlat(leg) ? [{ of: 'flat', positionSide }] : []
    const entry = lastEntryOf(reading?.lastEntries, positionSide)
    if (entry?.rests === true || (entry && entry.side === leg.side)) return []
    return closesAll(leg)
      ? [{ of: 'nothing', positionSide } as const, { of: 'flat', positionSide } as const]
      : [{ of: 'nothing', positionSide }]
  })
}

/** True for an order that would have closed its position by itself, had there been one. */
function closesAll({ type, amount }: { type: string; amount?: Amount }): boolean {
  return type === 'market' && amount?.basis === 'percent' && !isLess(amount.value, '100')
}
