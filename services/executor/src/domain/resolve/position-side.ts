import { isNegative } from '@tripline/proto/decimal'
import type { Amount, PositionSide } from '@tripline/proto/language/tree'
import type { AccountReading } from '../account/account.ts'
import { type LastEntry, lastEntryOf } from '../account/last-entry.ts'
import type { Market } from '../order/market.ts'
import { type Denial, denied } from '../sizing/basis.ts'

/** The position a command is about: the reading shows that one, and nothing of the other side. */
export interface Addressed {
  positionSide: PositionSide
  reading: AccountReading
}

/** The position that a command addresses; refused where the account does not hold positions that way. */
export function positionSideOf(
  asked: PositionSide | undefined,
  market: Market,
  reading: AccountReading,
): Addressed | Denial {
  const side = asked ?? 'both'
  const lastEntry = lastEntryOf(reading.lastEntries, side)
  if (reading.hedged === undefined) {
    if (side === 'both') return { positionSide: 'both', reading: withEntry(reading, lastEntry) }
    const held = market.kind === 'spot' ? 'spot holds no positions' : 'this account is in one-way mode'
    return denied('E405', `positionSide=${side} needs an account in hedge mode, ${held}`)
  }
  if (side === 'both') {
    return denied('E405', 'this account is in hedge mode: say positionSide=long or positionSide=short')
  }
  const { quantity, entryPrice, unrealizedPnl } = reading.hedged[side]
  const held = { ...reading, position: quantity, entryPrice, unrealizedPnl }
  return { positionSide: side, reading: withEntry(held, lastEntry ?? assumedEntry(side)) }
}

function withEntry(reading: AccountReading, lastEntry: LastEntry | undefined): AccountReading {
  return lastEntry === undefined ? reading : { ...reading, lastEntry }
}

/** The entry of a side that nothing is known of: only one order can have opened it. */
function assumedEntry(side: 'long' | 'short'): LastEntry {
  return { side: side === 'long' ? 'buy' : 'sell', rests: false, isFresh: false, isAssumed: true }
}

/** The refusal of a target that the addressed side cannot have: a long is never short. */
export function targetDenial(target: Amount | undefined, side: PositionSide): Denial | undefined {
  if (target === undefined || side === 'both' || /^-?0*\.?0*$/.test(target.value)) return undefined
  if (isNegative(target.value) === (side === 'short')) return undefined
  return denied('E405', `a ${side} position cannot be ${target.value}`)
}
