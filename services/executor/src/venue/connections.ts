import { Agent } from 'undici'
import type { Addresses } from './endpoint.ts'
import type { SharedConnections } from './http/shared-connections.ts'
import { createSharedSockets, type SharedSockets } from './socket/shared-sockets.ts'

/** The connections of all venue clients of the process: one pool of kept-alive ones, sockets, and their addresses. */
export interface VenueConnections extends SharedConnections {
  orderSockets: SharedSockets
  addresses: Addresses
  close: () => Promise<void>
}

/** Opens the pool. Connections stay open for minutes; no request is ever retried. */
export function openConnections({ onQueued }: Pick<SharedConnections, 'onQueued'> = {}): VenueConnections {
  const agent = new Agent({
    keepAliveTimeout: 60_000,
    keepAliveMaxTimeout: 600_000,
    connections: 64,
    pipelining: 1,
  })
  const orderSockets = createSharedSockets()
  return {
    dispatcher: agent,
    onQueued,
    orderSockets,
    addresses: new Map(),
    close: async () => {
      orderSockets.stop()
      await agent.destroy()
    },
  }
}
