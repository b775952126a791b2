import type { Overrides } from '../src/app.ts'
import type { BotClient } from '../src/venue/pool.ts'
import type { Venue } from '../src/venue/venue.ts'

type Decoration = Pick<Overrides, 'decoratePool'>

/** An executor of which every venue does some of this differently. */
export function withVenues(change: (venue: Venue) => Partial<Venue>): Decoration {
  return withClients(({ venue }) => ({ venue: { ...venue, ...change(venue) } }))
}

/** An executor that does this behind each order that it places, before it receives the result. */
export function behindOrders(act: () => unknown): Decoration {
  return withVenues((venue) => ({
    place: async (order, onSent) => {
      const placement = await venue.place(order, onSent)
      await act()
      return placement
    },
  }))
}

/** An executor that reports here which orders it looks up at the exchange, by our ids. */
export function overLookUps(onLookUp: (clientOrderId: string) => void): Decoration {
  return withVenues((venue) => ({
    lookUp: async (ref, depth) => {
      onLookUp(ref.clientOrderId)
      return await venue.lookUp(ref, depth)
    },
  }))
}

/** An executor for which no exchange can be reached. */
export const reachesNone: Decoration = {
  decoratePool: (pool) => ({ ...pool, client: () => undefined, whenOpen: async () => undefined }),
}

/**
 * An executor for which an order that nothing shows is proven absent in seconds: reads of the paper exchange lag no longer
 * than a fault says, where those of the exchanges may by 20 s.
 */
export const provesSoon: Decoration = withClients(({ absence }) => ({
  absence: {
    ...absence,
    engineMs: Math.min(absence.engineMs, 1000),
    readsLagMs: Math.min(absence.readsLagMs, 3000),
  },
}))

function withClients(change: (client: BotClient) => Partial<BotClient>): Decoration {
  return {
    decoratePool: (pool) => ({
      ...pool,
      client: (botId) => {
        const client = pool.client(botId)
        return client && { ...client, ...change(client) }
      },
    }),
  }
}
