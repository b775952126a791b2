/** Counts what a client used of the venue's limits within the current window of each. */
export type Usage = Readonly<{
  /** Adds request weight of an address and tells its sum in this minute. */
  weigh: (address: string, weight: number, now: number) => number
  /** Adds an order of an account and tells the sums of these 10 seconds and this minute. */
  countOrder: (apiKey: string, now: number) => { tenSeconds: number; minute: number }
}>

type Window = { since: number; used: number }

const MINUTE_MS = 60_000
const TEN_SECONDS_MS = 10_000

/** Nothing used yet. */
export function createUsage(): Usage {
  const weights = new Map<string, Window>()
  const short = new Map<string, Window>()
  const long = new Map<string, Window>()
  return {
    weigh: (address, weight, now) => add(weights, address, weight, now, MINUTE_MS),
    countOrder: (apiKey, now) => ({
      tenSeconds: add(short, apiKey, 1, now, TEN_SECONDS_MS),
      minute: add(long, apiKey, 1, now, MINUTE_MS),
    }),
  }
}

function add(
  windows: Map<string, Window>,
  key: string,
  amount: number,
  now: number,
  lengthMs: number,
): number {
  const since = now - (now % lengthMs)
  const window = windows.get(key)
  if (window?.since === since) {
    window.used += amount
    return window.used
  }
  windows.set(key, { since, used: amount })
  return amount
}
