/** Which requests a fault meets; what is absent meets every request. Paths are without the venue's base. */
export type FaultMatch = Readonly<{
  wire?: string | undefined
  transport?: Transport | undefined
  method?: string | undefined
  path?: string | undefined
  apiKey?: string | undefined
  symbol?: string | undefined
}>

/** The transport of a request. */
export type Transport = 'rest' | 'ws'

/** The points of the venue's work at which a fault can act. */
export type Occasion = 'request' | 'event' | 'disconnect' | 'fill' | 'trigger' | 'listenKey'

/** The effect of a fault; `accept-then` ones act after the venue has done what was asked. */
export type FaultAction =
  | Readonly<{
      action:
        | 'drop'
        | 'accept-then-drop'
        | 'duplicate-events'
        | 'reorder-events'
        | 'silent-stream'
        | 'disconnect'
        | 'expire-listen-key'
        | 'stuck-trigger'
        | 'reject-at-trigger'
    }>
  | Readonly<{ action: 'delay' | 'accept-then-delay' | 'stall-body' | 'clock-skew'; ms: number }>
  /** `ms`: how late every read is; `upToMs`: at most, and how late each is is drawn for it. */
  | Readonly<{ action: 'read-lag'; ms?: number | undefined; upToMs?: number | undefined }>
  /** `retryAfterS`: for how long the venue then wants to be left alone, where not as usual. */
  | Readonly<{ action: 'status' | 'accept-then-status'; status: number; retryAfterS?: number | undefined }>
  | Readonly<{ action: 'reject'; code: number; message?: string | undefined }>
  /** `ratio`: how much of what would fill does fill, in parts of 1,000,000; `rest`: the venue rejects what is left. */
  | Readonly<{ action: 'partial-fill'; ratio: bigint; rest?: 'rejected' | undefined }>

/** A fault with how often and how likely it strikes. */
export type Fault = FaultAction &
  Readonly<{
    match: FaultMatch
    count?: number | undefined
    probability?: number | undefined
    seed?: number | undefined
  }>

/** The facts of an occasion for matching: a fill or trigger has neither method nor path, and is not judged by them. */
export type Facts = Readonly<{
  wire: string
  transport?: Transport | undefined
  method?: string | undefined
  path?: string | undefined
  apiKey: string | undefined
  symbol: string | undefined
}>

const OCCASIONS: Readonly<Partial<Record<FaultAction['action'], Occasion>>> = {
  'duplicate-events': 'event',
  'reorder-events': 'event',
  'silent-stream': 'event',
  'expire-listen-key': 'listenKey',
  'partial-fill': 'fill',
  'stuck-trigger': 'trigger',
  'reject-at-trigger': 'trigger',
}

const CUTS: readonly Occasion[] = ['event', 'disconnect']

/** Whether a fault has anything to do on this occasion. */
export function actsOn(action: FaultAction['action'], occasion: Occasion, transport?: Transport): boolean {
  if (action === 'disconnect')
    return CUTS.includes(occasion) || (occasion === 'request' && transport === 'ws')
  return (OCCASIONS[action] ?? 'request') === occasion
}

/** Whether the fault is meant for this. */
export function meets(match: FaultMatch, facts: Facts): boolean {
  return (
    (match.wire === undefined || match.wire === facts.wire) &&
    (match.transport === undefined || match.transport === (facts.transport ?? 'rest')) &&
    (match.method === undefined ||
      facts.method === undefined ||
      match.method.toUpperCase() === facts.method) &&
    (match.path === undefined || facts.path === undefined || facts.path.startsWith(match.path)) &&
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
