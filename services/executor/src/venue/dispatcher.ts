import { Agent, type Dispatcher } from 'undici'

/** One pool of kept-alive connections for all venue clients of the process. */
export interface VenueConnections {
  dispatcher: Dispatcher
  /** Calls back for each order that goes out; answers how to stop. */
  onOrderSent: (clientOrderId: string, listener: () => void) => () => void
  close: () => Promise<void>
}

const clientOrderIdField = /(?:^|&)newClientOrderId=([^&]+)/

/** Opens the pool. Connections stay open for minutes; no request is ever retried. */
export function openConnections(): VenueConnections {
  const listeners = new Map<string, () => void>()
  const agent = new Agent({
    keepAliveTimeout: 60_000,
    keepAliveMaxTimeout: 600_000,
    connections: 64,
    pipelining: 1,
  })
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    const accepted = dispatch(options, handler)
    if (options.method === 'POST' && typeof options.body === 'string') {
      const id = clientOrderIdField.exec(options.body)?.[1]
      if (id !== undefined) listeners.get(id)?.()
    }
    return accepted
  })
  return {
    dispatcher,
    onOrderSent: (clientOrderId, listener) => {
      listeners.set(clientOrderId, listener)
      return () => listeners.delete(clientOrderId)
    },
    close: async () => await agent.destroy(),
  }
}
