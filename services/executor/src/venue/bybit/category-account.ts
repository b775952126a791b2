import type { AccountReading } from '../../domain/account.ts'
import type { Market } from '../../domain/market.ts'
import type { ReadingNeed } from '../../domain/reading-scope.ts'
import type { AccountEars, Attendance } from '../account-view/account-ears.ts'
import type { OrderNotes } from '../account-view/order-notes.ts'
import type { LibraryClient } from '../library-client.ts'
import type { ShownAfter } from '../shown-after.ts'
import type { Venue, VenueOptions } from '../venue.ts'
import type { AccountTopics } from './account-feed.ts'
import type { Desk } from './desk.ts'

/** Of what a category's part of an account is made. */
export interface AccountParts {
  options: VenueOptions
  desk: Desk
  client: LibraryClient
  markets: ReadonlyMap<string, Market>
  /** Hears what the private stream tells of the account, until that is stopped. */
  attend: (ears: AccountEars) => Attendance
  /** Hears what becomes of the account's orders, until that is stopped. */
  listen: (notes: OrderNotes) => () => void
  /** Settles once a reading shows what was last done to the account; undefined where it does. */
  shown: ShownAfter['shown']
}

/** What an account has in one category of markets. */
export interface CategoryAccount {
  /** What the private stream is to tell of it; nothing where it is only asked for. */
  topics?: AccountTopics
  read: (market: Market, need: ReadingNeed) => Promise<AccountReading>
  positionNow?: Venue['positionNow']
  isFlatNow?: Venue['isFlatNow']
  knownNow?: Venue['knownNow']
  changeSettings: Venue['changeSettings']
  /** Told when the venue refused an order. */
  onRefusal?: () => void
  stop?: () => void
}
