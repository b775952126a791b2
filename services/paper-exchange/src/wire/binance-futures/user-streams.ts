import { accountMargin, type QuoteOf } from '../../domain/margin.ts'
import type { Exchange, VenueEvent } from '../../exchange.ts'
import { type Entry, openOrdersOf } from '../../store/ledger.ts'
import type { PushEvent } from '../binance/stream-sockets.ts'
import { type Frame, framesOfAccount, framesOfOrder, marginCall, type OrderFrames } from './format-events.ts'
import type { ListenKeys } from './listen-keys.ts'
import { isHere } from './open-orders.ts'

/** Subscribers of accounts' events, by listen key. */
export type UserStreams = Readonly<{
  /** Pushes the events of the account the key is of, from now on; undefined if it is no valid key. */
  join: (listenKey: string, push: PushEvent, claim: (apiKey: string) => void) => (() => void) | undefined
}>

type UserListeners = Readonly<{
  exchange: Exchange
  keys: ListenKeys
  listening: Map<string, Set<PushEvent>>
  /** Events of orders that wait for the account's of the same change, which comes behind them. */
  waiting: Map<Entry, OrderFrames>
  /** Accounts that have the warning that their margin runs out, and are still short of it. */
  warned: Set<string>
}>

// The share of its margin that an account may need before it is warned, in parts of 100.
const WARNED_AT = 80n

/** Sends accounts' events to those who listen. */
export function createUserStreams(exchange: Exchange, keys: ListenKeys, nowMs: () => number): UserStreams {
  const state: UserListeners = { exchange, keys, listening: new Map(), waiting: new Map(), warned: new Set() }
  exchange.subscribe((event) => onEvent(state, event))
  keys.onEnd((listenKey, apiKey, cause, now) => {
    const subscribers = state.listening.get(listenKey) ?? []
    state.listening.delete(listenKey)
    if (cause === 'closed') return
    for (const push of subscribers) push({ e: 'listenKeyExpired', E: now, listenKey }, undefined, apiKey)
  })
  return {
    join: (listenKey, push, claim) => {
      const apiKey = keys.owner(listenKey, nowMs())
      if (apiKey === undefined) return undefined
      claim(apiKey)
      return addTo(state.listening, listenKey, push)
    },
  }
}

function addTo(subscribers: UserListeners['listening'], listenKey: string, push: PushEvent): () => void {
  const pushes = subscribers.get(listenKey) ?? new Set()
  pushes.add(push)
  subscribers.set(listenKey, pushes)
  return () => {
    pushes.delete(push)
    if (pushes.size === 0 && subscribers.get(listenKey) === pushes) subscribers.delete(listenKey)
  }
}

function onEvent(state: UserListeners, event: VenueEvent): void {
  if (state.listening.size === 0 || event.kind === 'list' || event.kind === 'trade') return
  // The payment is in the account's event.
  if (event.kind === 'funding') return
  if (event.kind === 'quote') warnAll(state, event.at)
  else if (pushesOf(state, event.entry).size > 0) {
    if (event.kind === 'account')
      sendWaiting(state, event.entry, framesOfAccount(event, state.exchange.quotes.of))
    else if (isHere(event.order)) hold(state, event)
  }
}

const NOBODY: ReadonlySet<PushEvent> = new Set()

function pushesOf({ keys, listening }: UserListeners, { apiKey }: Entry): ReadonlySet<PushEvent> {
  return listening.get(keys.current(apiKey) ?? '') ?? NOBODY
}

function send(state: UserListeners, entry: Entry, { symbol, body }: Frame): void {
  for (const push of pushesOf(state, entry)) push(body, symbol, entry.apiKey)
}

/**
 * Holds the events of an order until its account's, or, if nothing of that changes, until all of the change is emitted.
 */
function hold(state: UserListeners, event: Extract<VenueEvent, { kind: 'order' }>): void {
  const { entry } = event
  const waiting = state.waiting.get(entry)
  if (waiting === undefined) queueMicrotask(() => sendWaiting(state, entry, []))
  const { early, first, last } = framesOfOrder(event)
  // Frames behind a trade stay behind it.
  const follows = waiting !== undefined && waiting.last.length > 0
  state.waiting.set(entry, {
    early: [...(waiting?.early ?? []), ...early],
    first: [...(waiting?.first ?? []), ...(follows ? [] : first)],
    last: [...(waiting?.last ?? []), ...(follows ? first : []), ...last],
  })
}

function sendWaiting(state: UserListeners, entry: Entry, ofAccount: readonly Frame[]): void {
  const { early, first, last } = state.waiting.get(entry) ?? { early: [], first: [], last: [] }
  state.waiting.delete(entry)
  for (const frame of [...early, ...first, ...ofAccount, ...last]) send(state, entry, frame)
}

function warnAll(state: UserListeners, at: number): void {
  const { exchange, keys, listening, warned } = state
  for (const listenKey of listening.keys()) {
    const entry = exchange.ledger.entries.get(keys.owner(listenKey, at) ?? '')
    if (!entry || entry.account.positions.size === 0) continue
    if (!isRunningOut(entry, exchange.quotes.of)) warned.delete(entry.apiKey)
    else if (!warned.has(entry.apiKey)) {
      warned.add(entry.apiKey)
      send(state, entry, marginCall(entry, exchange.quotes.of, at))
    }
  }
}

function isRunningOut(entry: Entry, quoteOf: QuoteOf): boolean {
  const margin = accountMargin(entry.account, openOrdersOf(entry), quoteOf)
  const means = margin.wallet - margin.isolated + margin.crossUnrealized
  return margin.crossMaintenance > 0n && margin.crossMaintenance * 100n >= means * WARNED_AT
}
