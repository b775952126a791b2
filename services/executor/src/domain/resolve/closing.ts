import { isZero } from '@tripline/proto/decimal'
import type {
  Command,
  LegCommand,
  MarketCommand,
  PositionSide,
  StopOrTakeProfitCommand,
} from '@tripline/proto/language/tree'
import type { LastEntry } from '../account/last-entry.ts'
import { reduces } from '../account/position.ts'
import type { Side } from '../order/side.ts'
import { deny, nothingToProtect } from './denial.ts'
import type { Resolution, Scene } from './resolution.ts'

type EntryExit = MarketCommand | LegCommand | StopOrTakeProfitCommand

/**
 * Resolves an exit whose position is gone; undefined for any other command. A plain percent against the bot's last
 * entry is the exit of that, whether its position is still there or not: nothing is opened in its place.
 */
export function closesNothing(command: EntryExit, scene: Scene): Resolution | undefined {
  const { market, reading, isLeg = false } = scene
  const { lastEntry: entry } = reading
  if (market.kind === 'spot' || command.position !== undefined || command.amount?.basis !== 'percent')
    return undefined
  const protects = isLeg || (command.type !== 'market' && command.type !== 'limit')
  if (entry === undefined || entry.side === command.side) {
    return protects || entry?.isLater === true ? exitsNothing(command.side, scene) : undefined
  }
  const { side = against(entry) } = command
  if (reduces(side, reading.position)) return undefined
  if (protects && !isSurelyGone(entry)) return deny(nothingToProtect(market))
  return { outcome: 'nothing', code: 'N804', note: `nothing to close${whyGone(entry, scene)}` }
}

/**
 * Ends an exit of an order before it in its block that opened nothing, or whose position a later message turned; undefined
 * for any other order. An order that protects is such an exit, and so is any other behind which a later message entered.
 */
function exitsNothing(side: Side | undefined, scene: Scene): Resolution | undefined {
  const { market, reading, positionSide, before = [] } = scene
  if (side === undefined || reduces(side, reading.position)) return undefined
  const entry = before.findLast((command) => leads(command, side, positionSide))
  if (entry === undefined || !isEntryAgainst(entry, side)) return undefined
  const held = side === 'sell' ? 'long' : 'short'
  const why =
    reading.lastEntry?.isLater === true
      ? `the ${held} of ${market.symbol} was turned by a later message`
      : `the ${against({ side })} before it opened no ${held} of ${market.symbol}`
  const note = `nothing to close: ${why}`
  return { outcome: 'nothing', code: 'N804', note }
}

/** True for an order that says what position the block leads to; one that rests on this side may be an exit itself. */
function leads(command: Command, side: Side, of: PositionSide): boolean {
  if (command.type !== 'market' && command.type !== 'limit') return false
  const { positionSide = 'both' } = command
  return positionSide === of && (command.type === 'market' || command.side !== side)
}

/** True for an order of the other side that may open: one that says of itself that it closes leaves what follows free. */
function isEntryAgainst(command: Command, side: Side): boolean {
  if (command.type !== 'market' && command.type !== 'limit') return false
  const { amount, position, reduceOnly } = command
  const onlyCloses = position !== undefined || amount?.basis === 'percentPosition' || reduceOnly === true
  return !onlyCloses && command.side !== side
}

function against({ side }: Pick<LastEntry, 'side'>): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

/** True where an order that protects may be left out: a position that does not show yet would stand without it. */
function isSurelyGone({ rests, isFresh, closed, isAssumed }: LastEntry): boolean {
  return isAssumed !== true && !rests && (closed !== undefined || !isFresh)
}

function whyGone({ side, rests, closed, isAssumed }: LastEntry, { market, reading }: Scene): string {
  const { symbol } = market
  if (rests) return ` yet: the ${side} of ${symbol} that came last still waits at the exchange`
  const held = side === 'buy' ? 'long' : 'short'
  if (isAssumed === true) return `: there is no ${held} of ${symbol}`
  const other = isZero(reading.position)
    ? ''
    : `; the ${held === 'long' ? 'short' : 'long'} there is left alone`
  const closedBy = closed === undefined ? 'elsewhere, by hand or by the exchange' : `by ${closed.how}`
  return `: the ${held} of ${symbol} was closed ${closedBy}${other}`
}
