import type { VenuePool } from '../src/venue/pool.ts'
import type { Venue } from '../src/venue/venue.ts'

/** The pool with every venue changed. */
export function withVenues(pool: VenuePool, change: (venue: Venue) => Venue): VenuePool {
  return {
    ...pool,
    client: (botId) => {
      const client = pool.client(botId)
      return client && { ...client, venue: change(client.venue) }
    },
  }
}
