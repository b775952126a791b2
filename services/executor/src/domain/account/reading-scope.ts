import type { Command } from '@tripline/proto/alert-tree'
import type { Amount } from '@tripline/proto/language/tree'
import type { Market } from '../order/market.ts'

/**
 * Part of an account that a command is decided on: its position of the symbol, settings and prices, on spot its amounts
 * of both coins; its worth besides; or all there is.
 */
export type ReadingScope = 'position' | 'equity' | 'all'

/** Requirements on a reading. */
export interface ReadingNeed {
  /** Values outside of it may be left out, and those within may come from memory, where that is as good. */
  scope?: ReadingScope | undefined
  /** An exit depends on it: it is requested as long as the venue takes any request of ours. */
  isUrgent?: boolean
  /** Settings of the account are asked for, not taken from memory. */
  areSettingsAsked?: boolean
  /** The price by which the venue bounds others is requested where no stream reports it; else only the venue judges by it. */
  isBandPriceAsked?: boolean
}

/** The least that has to be read for a command on a market of this kind. */
export function scopeOf(command: Command, kind: Market['kind']): ReadingScope {
  switch (command.type) {
    case 'market':
    case 'limit':
    case 'stopOrder':
    case 'stopOrTakeProfit':
      return widest([scopeOfAmount(command.amount, kind), scopeOfAmount(command.position, kind)])
    case 'oneCancelsOther':
      return widest(command.legs.map((leg) => scopeOf(leg, kind)))
    default:
      return 'all'
  }
}

function scopeOfAmount(amount: Amount | undefined, kind: Market['kind']): ReadingScope {
  switch (amount?.basis) {
    case 'percentAvailable':
      // On spot what is free of a coin is a part of what is held of it.
      return kind === 'spot' ? 'equity' : 'all'
    case 'percent':
    case 'percentEquity':
      return 'equity'
    default:
      return 'position'
  }
}

/** The widest of these scopes. */
export function widest(scopes: readonly ReadingScope[]): ReadingScope {
  if (scopes.includes('all')) return 'all'
  return scopes.includes('equity') ? 'equity' : 'position'
}
