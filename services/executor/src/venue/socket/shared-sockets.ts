import type { OrderSocket } from './order-socket.ts'

/** The sockets for orders that all accounts of an address share. */
export interface SharedSockets {
  /** The socket at an address, opened by the first who asks for it. */
  at: (address: string, open: () => OrderSocket) => OrderSocket
  /** True when there is one, and orders of all addresses would go over theirs now. */
  areGood: () => boolean
  /** Ends all, and those that a client asks for which is still being opened. */
  stop: () => void
}

/** Shares sockets; there is none yet. */
export function createSharedSockets(): SharedSockets {
  const sockets = new Map<string, OrderSocket>()
  let isStopped = false
  return {
    at: (address, open) => {
      const socket = sockets.get(address) ?? open()
      sockets.set(address, socket)
      if (isStopped) socket.stop()
      return socket
    },
    areGood: () => sockets.size > 0 && [...sockets.values()].every(({ isGood }) => isGood()),
    stop: () => {
      isStopped = true
      for (const socket of sockets.values()) socket.stop()
    },
  }
}
