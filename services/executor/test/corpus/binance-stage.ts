import type { ClientOrderId } from '@tripline/proto/id'
import type { OrderPlan } from '../../src/domain/order/order.ts'
import type { VenueConnections } from '../../src/venue/connections.ts'
import type { Venue, VenueEvent } from '../../src/venue/venue.ts'
import type { BinanceKind } from './binance-defaults.ts'
import type { PriceReplayer } from './price-replay.ts'
import type { VenueStandIn } from './venue-stand-in.ts'

/** A client of the stand-in, and the reports of its stream. */
export interface Client {
  connections: VenueConnections
  venue: Venue
  events: VenueEvent[]
  stop: () => void
}

/** The stand-in for one of Binance's markets, and the client that reads what it says. */
export interface Stage {
  kind: BinanceKind
  endpoint: VenueStandIn
  prices: PriceReplayer
  client: (ordersUrl?: string) => Promise<Client>
  /** Ends the client: the next one asks everything anew. */
  renew: () => Promise<void>
}

let planned = 0

/** A plan of an order that can rest, with what differs from it. */
export function planOf(differing: Partial<OrderPlan>): OrderPlan {
  planned++
  return {
    ...{ clientOrderId: `ours-${planned}` as ClientOrderId, symbol: 'BTCUSDT', type: 'limit', side: 'buy' },
    ...{ quantity: '1', price: '2', reduceOnly: false, positionSide: 'both', sizing: 'a recording' },
    ...differing,
  }
}
