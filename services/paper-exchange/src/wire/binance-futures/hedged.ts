import { positionModeOf } from '../../domain/account.ts'
import { marketIdOf } from '../../domain/market.ts'
import type { Entry } from '../../store/ledger.ts'

const VENUE = 'binance-futures'

// The mode is the account's, the same in every market of this venue.
const ANY = { id: marketIdOf(VENUE, ''), venue: VENUE } as const

/** Whether the account holds longs and shorts apart on this venue. */
export function isHedged({ account }: Pick<Entry, 'account'>): boolean {
  return positionModeOf(account, ANY) === 'hedge'
}
