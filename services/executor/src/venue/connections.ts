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

/** Connections to one exchange. */
const mostConnections = 64
/** Shorter waits for one are of no interest to anybody. */
const notableMs = 10

/**
 * Opens the pool. Connections stay open for minutes; no request is ever retried. `onSent` is called with how long a request
 * waited for a free connection while all that may be open were: until then, one more is made for those that wait.
 */
export function openConnections(onSent: (waitedMs: number) => void = () => undefined): VenueConnections {
  const agent = new Agent({
    keepAliveTimeout: 60_000,
    keepAliveMaxTimeout: 600_000,
    connections: mostConnections,
    pipelining: 1,
  })
  const orderSockets = createSharedSockets()
  const isFull = (origin: string): boolean => agent.stats[origin]?.connected === mostConnections
  return {
    dispatcher: agent,
    onQueued: (waitedMs, origin) => onSent(waitedMs < notableMs || isFull(origin) ? waitedMs : 0),
    orderSockets,
    addresses: new Map(),
    close: async () => {
      orderSockets.stop()
      await agent.destroy()
    },
  }
}
