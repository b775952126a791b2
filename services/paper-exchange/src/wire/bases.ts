/** The venues that have a wire of their own. */
export type WireName = 'binance-spot' | 'binance-futures' | 'bybit' | 'okx'

/** The target of a request: the venue, and the path without its base. */
export type Routed = Readonly<{ wire: WireName; path: string }>

/** The first part of the paths that belong to each venue under its base. */
const FAMILIES: Readonly<Record<WireName, readonly string[]>> = {
  'binance-spot': ['api', 'sapi', 'ws-api', 'stream', 'ws'],
  'binance-futures': ['fapi', 'sapi', 'dapi', 'ws-fapi', 'private', 'public', 'market', 'stream', 'ws'],
  bybit: ['v5'],
  // At the root `api` is Binance's.
  okx: ['api'],
}

const BASES: ReadonlyMap<string, WireName> = new Map([
  ['binance', 'binance-spot'],
  ['binance-futures', 'binance-futures'],
  ['bybit', 'bybit'],
  ['okx', 'okx'],
])

// At the root the venues stand in the order above: what two of them have is the first one's.
const ROOT: ReadonlyMap<string, WireName> = new Map(
  (Object.keys(FAMILIES) as WireName[])
    .toReversed()
    .flatMap((wire) => FAMILIES[wire].map((family) => [family, wire] as const)),
)

const STREAMS: readonly string[] = ['stream', 'ws']
const FUTURES_HOST = /^(?:demo-)?(?:fapi|fstream|ws-fapi|dapi|dstream)\./

/**
 * The venue that serves a path, or undefined where none does. The root serves them all; public streams, whose paths
 * two venues share, are futures' where the host is named like theirs, and spot's else.
 */
export function routeOf(path: string, host: string | undefined): Routed | undefined {
  const [, first = '', second = ''] = path.split('/', 3)
  const based = BASES.get(first)
  if (based !== undefined) {
    return FAMILIES[based].includes(second) ? { wire: based, path: path.slice(first.length + 1) } : undefined
  }
  const wire = ROOT.get(first)
  if (wire === undefined) return undefined
  const isFutures = STREAMS.includes(first) && host !== undefined && FUTURES_HOST.test(host)
  return { wire: isFutures ? 'binance-futures' : wire, path }
}
