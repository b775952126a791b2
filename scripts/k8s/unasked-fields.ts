type Asked = Map<object, Set<string>>

/**
 * The fields of an object that a check never looks at, by their path. A compiled schema asks for every property that it
 * names, whether it is there or not, and for every key of a map; what it asks nothing about may hold anything.
 */
export function unaskedFields(object: object, check: (watched: object) => void): string[] {
  const asked: Asked = new Map()
  check(watch(object, asked))
  return unaskedBelow(object, asked, '')
}

function watch(object: object, asked: Asked): object {
  const keys = asked.get(object) ?? new Set()
  asked.set(object, keys)
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof key === 'string') keys.add(key)
      return isObject(value) ? watch(value, asked) : value
    },
  })
}

function unaskedBelow(object: object, asked: Asked, at: string): string[] {
  const keys = asked.get(object) ?? new Set()
  if (keys.size === 0) return []
  return Object.entries(object).flatMap(([key, value]) => {
    const below = Array.isArray(object) ? `${at}[${key}]` : `${at}.${key}`.replace(/^\./, '')
    if (!keys.has(key)) return [below]
    return isObject(value) ? unaskedBelow(value, asked, below) : []
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
