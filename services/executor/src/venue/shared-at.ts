import type { VenueConnections } from './dispatcher.ts'

interface Shared<Value> {
  value: Value
  holders: number
}

/** One thing of an address as one client has it. */
export interface Share<Value> {
  /** The thing; it is made when the first client asks for it. */
  get: () => Value
  /** Ends the client's share; the thing is stopped when the last client has left. */
  leave: () => void
}

/** Shares one thing of each address among all clients. */
export function createSharing<Value extends { stop: () => void }>(): (
  connections: VenueConnections,
  address: string,
  open: () => Value,
) => Share<Value> {
  const sharedBy = new WeakMap<VenueConnections, Map<string, Shared<Value>>>()
  return (connections, address, open) => {
    const known = sharedBy.get(connections) ?? new Map<string, Shared<Value>>()
    sharedBy.set(connections, known)
    let own: Shared<Value> | undefined
    return {
      get: () => {
        if (own !== undefined) return own.value
        own = known.get(address) ?? { value: open(), holders: 0 }
        known.set(address, own)
        own.holders++
        return own.value
      },
      leave: () => {
        if (own === undefined) return
        own.holders--
        if (own.holders === 0) {
          known.delete(address)
          own.value.stop()
        }
        own = undefined
      },
    }
  }
}
