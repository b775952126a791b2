import type { CommandResult } from '@tripline/proto/command-result'
import { isZero, plain } from '@tripline/proto/decimal'
import type { EntryNote } from '@tripline/proto/entry-note'
import type { Command, LimitCommand, PositionSide } from '@tripline/proto/language/tree'
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
  const ended = endedBy(command, outcome, reading).map(
    ({ of, positionSide }) => ({ of, positionSide, at: now }) as const,
  )
  const isAtOnce = command.type === 'market' || (command.type === 'limit' && neverRests(command))
  const seen = { reading, isAtOnce, at: now, addressed: sideOf(command) }
  return [...ended, ...orders.flatMap((attempt) => orderNotes(attempt, seen))]
}

/** What the end of an order that is watched means for the entries of its bot. */
export function watchedEntryNotes(attempt: Attempt, now: number): EntryNote[] {
  // The venue's clock may be ahead of ours, by which what comes next is counted.
  const toldAt = attempt.found?.updatedAt ?? now
  return orderNotes(attempt, { isAtOnce: false, at: toldAt < now ? toldAt : now })
}

function sideOf(command: Command): PositionSide {
  return ('positionSide' in command ? command.positionSide : undefined) ?? 'both'
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
  /** The position that its command names, for an order of which only its id is known. */
  addressed?: PositionSide
}

function orderNotes(
  { found, decision }: Attempt,
  { reading, isAtOnce, at, addressed = 'both' }: Seen,
): EntryNote[] {
  if (found === undefined) return []
  const plan = decision?.plan
  const { positionSide = addressed } = plan ?? {}
  const held = plan === undefined ? undefined : heldIn(reading, positionSide)
  return [
    {
      of: 'order',
      ...{ positionSide, at, clientOrderId: found.clientOrderId, side: found.side },
      quantity: plain(isTerminal(found) ? found.filled : found.quantity),
      filled: plain(found.filled),
      reduceOnly: plan?.reduceOnly ?? found.reduceOnly,
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

/** The entries that a command ended by finding nothing to do: of one that rests there is nothing to close yet. */
export function endedBy(
  command: Command,
  { result }: Pick<Ending, 'result'>,
  reading: Pick<AccountReading, 'lastEntries'> | undefined,
): Ended[] {
  if (result === null || !('code' in result) || !placesOrders(command)) return []
  const legs = command.type === 'oneCancelsOther' ? command.legs : [command]
  return legs.flatMap(({ position, positionSide = 'both' }): Ended[] => {
    if (result.code === 'N804')
      return reading?.lastEntries?.[positionSide]?.rests === true ? [] : [{ of: 'nothing', positionSide }]
    return position !== undefined && isZero(position.value) ? [{ of: 'flat', positionSide }] : []
  })
}
