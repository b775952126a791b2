interface Shared<Value> {
  value: Value
  holders: number
}

/** One thing as one client has it. */
export interface Share<Value> {
  /** The thing; it is made when the first client asks for it. */
  get: () => Value
  /** Ends the client's share; the thing is stopped when the last client has left. */
  leave: () => void
}

/** Shares one thing of each name among all clients. */
export type Sharing<Value> = (name: string, open: () => Value) => Share<Value>

/** Shares things that are stopped once they have no holder any more; there is none yet. */
export function createSharing<Value extends { stop: () => void }>(): Sharing<Value> {
  const known = new Map<string, Shared<Value>>()
  return (name, open) => {
    let own: Shared<Value> | undefined
    return {
      get: () => {
        if (own !== undefined) return own.value
        own = known.get(name) ?? { value: open(), holders: 0 }
        known.set(name, own)
        own.holders++
        return own.value
      },
      leave: () => {
        if (own === undefined) return
        own.holders--
        if (own.holders === 0) {
          known.delete(name)
          own.value.stop()
        }
        own = undefined
      },
    }
  }
}
