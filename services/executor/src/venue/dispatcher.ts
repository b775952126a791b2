import { Agent, type Dispatcher } from 'undici'
import type { OrderSocket } from './order-socket.ts'

/** The connections of all venue clients of the process: one pool of kept-alive ones, and sockets. */
export interface VenueConnections {
  dispatcher: Dispatcher
  /** The sockets for orders that many accounts share, by their address. */
  orderSockets: Map<string, OrderSocket>
  close: () => Promise<void>
}

/** Opens the pool. Connections stay open for minutes; no request is ever retried. */
export function openConnections(): VenueConnections {
  const agent = new Agent({
    keepAliveTimeout: 60_000,
    keepAliveMaxTimeout: 600_000,
    connections: 64,
    pipelining: 1,
  })
  const orderSockets = new Map<string, OrderSocket>()
  return {
    dispatcher: agent,
    orderSockets,
    close: async () => {
      for (const socket of orderSockets.values()) socket.stop()
      orderSockets.clear()
      await agent.destroy()
    },
  }
}
