import type { AccountReading } from '../../../domain/account/account.ts'
import type { ReadingNeed } from '../../../domain/account/reading-scope.ts'
import type { Market } from '../../../domain/order/market.ts'
import type { AccountListener, StreamSubscription } from '../../account/account-listener.ts'
import type { OrderListener } from '../../account/order-updates.ts'
import type { ShownAfter } from '../../account/shown-after.ts'
import type { Venue, VenueOptions } from '../../venue.ts'
import type { RestClient } from '../rest-client.ts'
import type { AccountTopics } from '../stream/account-feed.ts'

/** Of what a category's part of an account is made. */
export interface AccountParts {
  options: VenueOptions
  restClient: RestClient
  markets: ReadonlyMap<string, Market>
  /** Receives what the private stream reports on the account, until that is stopped. */
  subscribe: (listener: AccountListener) => StreamSubscription
  /** Receives the updates of the account's orders, until it is stopped. */
  listen: (publisher: OrderListener) => () => void
  /** Settles once a reading shows what was last done to the account; undefined where it does. */
  shown: ShownAfter['shown']
}

/** An account in one category of markets. */
export interface CategoryAccount
  extends Pick<Venue, 'changeSettings' | 'positionNow' | 'isFlatNow' | 'knownNow'> {
  /** The topics of the private stream for it; none if it is only asked for. */
  topics?: AccountTopics
  read: (market: Market, need: ReadingNeed) => Promise<AccountReading>
  /** Called when the venue refused an order. */
  onRefusal?: () => void
  stop?: () => void
}
