/** Values in sets by a key: those of one key are found without a look at those of others. */
export interface SetsByKey<Key, Value> {
  add: (key: Key, value: Value) => void
  delete: (key: Key, value: Value) => void
  /** The values of a key, in the order in which they were added. */
  of: (key: Key) => ReadonlySet<Value>
  /** The keys that have values. */
  keys: () => Iterable<Key>
}

/** No key has a value. */
export function createSetsByKey<Key, Value>(): SetsByKey<Key, Value> {
  const sets = new Map<Key, Set<Value>>()
  const none: ReadonlySet<Value> = new Set()
  return {
    add: (key, value) => {
      const set = sets.get(key) ?? new Set()
      sets.set(key, set.add(value))
    },
    delete: (key, value) => {
      const set = sets.get(key)
      if (set?.delete(value) === true && set.size === 0) sets.delete(key)
    },
    of: (key) => sets.get(key) ?? none,
    keys: () => sets.keys(),
  }
}
