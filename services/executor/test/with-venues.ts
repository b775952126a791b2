import type { Overrides } from '../src/app.ts'
import type { Venue } from '../src/venue/venue.ts'

/** An executor of which every venue does some of this differently. */
export function withVenues(change: (venue: Venue) => Partial<Venue>): Pick<Overrides, 'decoratePool'> {
  return {
    decoratePool: (pool) => ({
      ...pool,
      client: (botId) => {
        const client = pool.client(botId)
        return client && { ...client, venue: { ...client.venue, ...change(client.venue) } }
      },
    }),
  }
}
