import { Agent, type Dispatcher } from 'undici'

/** One pool of kept-alive connections for all venue clients of the process. */
export interface VenueConnections {
  dispatcher: Dispatcher
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
  return { dispatcher: agent, close: async () => await agent.destroy() }
}
