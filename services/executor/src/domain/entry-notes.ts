import type { CommandResult } from '@tripline/proto/command-result'
import { isZero, plain } from '@tripline/proto/decimal'
import type { EntryNote } from '@tripline/proto/entry-note'
import type { Command, LimitCommand, MarketCommand, PositionSide } from '@tripline/proto/language/tree'
import type { AccountReading } from './account.ts'
import type { Attempt } from './attempt.ts'
import type { Ending } from './ending.ts'
import type { Execution } from './execution-state.ts'
import { isTerminal, type OrderPlan, type VenueOrder } from './order.ts'
import { placesOrders } from './resolve/command.ts'

/** What a command that ends now means for the bot's entries. Spot has none: a sale there can open nothing. */
export function entryNotesOf(
  { commands, outcomes, market, current }: Execution,
  outcome: Pick<CommandResult, 'result'>,
  now: number,
): EntryNote[] {
  const command = commands[outcomes.length]
  if (market.kind === 'spot' || command === undefined) return []
  const { orders = [], reading, canceling } = current
  if (command.type === 'cancel') return (canceling?.targets ?? []).flatMap((target) => endOf(target, now))
  const isAtOnce = command.type === 'market' || (command.type === 'limit' && neverRests(command))
  const seen = { reading, isAtOnce, at: now, command }
  const isClosed = isAtOnce && wantsFlat(command) && orders.some(({ found }) => found?.status === 'filled')
  const ended = isClosed
    ? [{ of: 'flat', positionSide: sideOf(command) } as const]
    : endedBy(command, outcome, reading)
  return [
    ...orders.flatMap((attempt) => orderNotes(attempt, seen)),
    ...ended.map(({ of, positionSide }) => ({ of, positionSide, at: now })),
  ]
}

/** What the end of an order that is watched means for the entries of its bot; one that is not found is gone. */
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

/** True for a command whose order, where it is not reduce-only, opens or turns: what only closes is sent so. */
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
  isAtOnce: boolean
  at: number
  /** Its command, for an order of which only its id is known. */
  command?: Command
}

function orderNotes({ found, decision }: Attempt, { reading, isAtOnce, at, command }: Seen): EntryNote[] {
  if (found === undefined) return []
  const plan = decision?.plan
  const { positionSide = sideOf(command) } = plan ?? {}
  const held = plan === undefined ? undefined : heldIn(reading, positionSide)
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

function heldIn(reading: AccountReading | undefined, side: PositionSide): string | undefined {
  return side === 'both' ? reading?.position : reading?.hedged?.[side].quantity
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
    if (result.code === 'N804') {
      const entry = reading?.lastEntries?.[positionSide]
      return entry?.rests === true || (entry && entry.side === leg.side)
        ? []
        : [{ of: 'nothing', positionSide }]
    }
    return wantsFlat(leg) ? [{ of: 'flat', positionSide }] : []
  })
}
