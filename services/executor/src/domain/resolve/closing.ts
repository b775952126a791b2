import { isZero } from '@tripline/proto/decimal'
import type { LegCommand, MarketCommand, StopOrTakeProfitCommand } from '@tripline/proto/language/tree'
import type { LastEntry } from '../last-entry.ts'
import type { Side } from '../side.ts'
import { reduces } from '../sizing.ts'
import { deny, nothingToProtect } from './denial.ts'
import type { Resolution, Scene } from './resolution.ts'

type EntryExit = MarketCommand | LegCommand | StopOrTakeProfitCommand

/**
 * What an exit comes to whose position is gone; undefined for any other command. A plain percent against the bot's last
 * entry is the exit of that, whether its position is still there or not: nothing is opened in its place.
 */
export function closesNothing(command: EntryExit, scene: Scene): Resolution | undefined {
  const { market, reading, isLeg = false } = scene
  const { lastEntry: entry } = reading
  if (market.kind === 'spot' || command.position !== undefined || command.amount?.basis !== 'percent')
    return undefined
  if (entry === undefined) return undefined
  const { side = against(entry) } = command
  if (side === entry.side || reduces(side, reading.position)) return undefined
  const protects = isLeg || (command.type !== 'market' && command.type !== 'limit')
  if (protects && !isSurelyGone(entry)) return deny(nothingToProtect(market))
  return { outcome: 'nothing', code: 'N804', note: `nothing to close${whyGone(entry, scene)}` }
}

function against({ side }: LastEntry): Side {
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
  const what = closed === undefined ? 'elsewhere, by hand or by the exchange' : `by ${closed.how}`
  return `: the ${held} of ${symbol} was closed ${what}${other}`
}
