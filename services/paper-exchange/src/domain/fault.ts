/** Which requests a fault meets; what is absent meets every request. Paths are without the venue's base. */
export type FaultMatch = Readonly<{
  wire?: string | undefined
  method?: string | undefined
  path?: string | undefined
  apiKey?: string | undefined
  symbol?: string | undefined
}>

/** What a fault does to a request; `accept-then` ones act after the venue has done what was asked. */
export type FaultAction =
  | Readonly<{ action: 'drop' | 'accept-then-drop' }>
  | Readonly<{ action: 'delay' | 'accept-then-delay' | 'stall-body' | 'read-lag' | 'clock-skew'; ms: number }>
  | Readonly<{ action: 'status' | 'accept-then-status'; status: number }>
  | Readonly<{ action: 'reject'; code: number; message?: string | undefined }>

/** A fault with how often and how likely it strikes. */
export type Fault = FaultAction &
  Readonly<{
    match: FaultMatch
    count?: number | undefined
    probability?: number | undefined
    seed?: number | undefined
  }>

/** What a request shows for matching. */
export type Facts = Readonly<{
  wire: string
  method: string
  path: string
  apiKey: string | undefined
  symbol: string | undefined
}>

/** Whether the fault is meant for this request. */
export function meets(match: FaultMatch, facts: Facts): boolean {
  return (
    (match.wire === undefined || match.wire === facts.wire) &&
    (match.method === undefined || match.method.toUpperCase() === facts.method) &&
    (match.path === undefined || facts.path.startsWith(match.path)) &&
    (match.apiKey === undefined || match.apiKey === facts.apiKey) &&
    (match.symbol === undefined || match.symbol === facts.symbol)
  )
}

/** The next state of a small random generator and a number in [0, 1); the same seed gives the same numbers. */
export function nextRandom(state: number): { state: number; value: number } {
  let next = state | 0
  next ^= next << 13
  next ^= next >>> 17
  next ^= next << 5
  return { state: next, value: (next >>> 0) / 4_294_967_296 }
}

/** A first state for the generator that differs well between close seeds and is never zero. */
export function seedRandom(seed: number): number {
  let state = (seed | 0) ^ 0x9e3779b9 || 1
  for (let round = 0; round < 8; round += 1) state = nextRandom(state).state
  return state
}
