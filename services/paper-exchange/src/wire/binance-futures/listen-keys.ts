import { randomBytes } from 'node:crypto'
import type { Deadlines } from './deadlines.ts'

const VALID_MS = 3_600_000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The keys by which accounts listen to what happens to them: one at a time each, valid for an hour. */
export type ListenKeys = Readonly<{
  /** The account's live key, valid for an hour from now; a new one where it has none. */
  open: (apiKey: string, now: number) => string
  /** Makes the account's key valid for another hour and returns it, or undefined if it has none. */
  extend: (apiKey: string, now: number) => string | undefined
  close: (apiKey: string, now: number) => boolean
  /** The account's key, valid or not for long, or undefined where it has none. */
  current: (apiKey: string) => string | undefined
  /** Returns the owner of a key, or undefined if it is none or no longer valid. */
  owner: (listenKey: string, now: number) => string | undefined
  /** Ends the keys of the accounts it is true of, and those whose hour is over. */
  expire: (isStruck: (apiKey: string) => boolean, now: number) => void
  /** Calls back with every key that ends. */
  onEnd: (listener: EndListener) => void
}>

/** Receives a key that ended: closed by the account, or because its hour was over. */
export type EndListener = (
  listenKey: string,
  apiKey: string,
  cause: 'closed' | 'expired',
  now: number,
) => void

type ListenKey = { key: string; until: number }
type ListenKeyStore = Readonly<{
  deadlines: Deadlines
  keys: Map<string, ListenKey>
  owners: Map<string, string>
  listeners: EndListener[]
}>

/** No listen keys yet; each ends by itself when its hour is over. */
export function createListenKeys(deadlines: Deadlines): ListenKeys {
  const state: ListenKeyStore = { deadlines, keys: new Map(), owners: new Map(), listeners: [] }
  const { keys, owners, listeners } = state
  return {
    open: (apiKey, now) => prolong(state, apiKey, liveOf(state, apiKey, now) ?? newListenKey(), now),
    extend: (apiKey, now) => {
      const one = liveOf(state, apiKey, now)
      return one && prolong(state, apiKey, one, now)
    },
    close: (apiKey, now) => {
      const isLive = liveOf(state, apiKey, now) !== undefined
      if (isLive) end(state, apiKey, 'closed', now)
      return isLive
    },
    current: (apiKey) => keys.get(apiKey)?.key,
    owner: (listenKey, now) => {
      const apiKey = owners.get(listenKey)
      return apiKey !== undefined && liveOf(state, apiKey, now) ? apiKey : undefined
    },
    expire: (isStruck, now) => {
      for (const [apiKey, { until }] of [...keys])
        if (until <= now || isStruck(apiKey)) end(state, apiKey, 'expired', now)
    },
    onEnd: (listener) => {
      listeners.push(listener)
    },
  }
}

function end(state: ListenKeyStore, apiKey: string, cause: 'closed' | 'expired', now: number): void {
  const gone = state.keys.get(apiKey)
  if (!gone) return
  state.keys.delete(apiKey)
  state.owners.delete(gone.key)
  state.deadlines.drop(nameOf(apiKey))
  for (const listener of state.listeners) listener(gone.key, apiKey, cause, now)
}

function liveOf(state: ListenKeyStore, apiKey: string, now: number): ListenKey | undefined {
  const one = state.keys.get(apiKey)
  if (one && one.until > now) return one
  end(state, apiKey, 'expired', now)
  return undefined
}

function prolong(state: ListenKeyStore, apiKey: string, one: ListenKey, now: number): string {
  one.until = now + VALID_MS
  state.keys.set(apiKey, one)
  state.owners.set(one.key, apiKey)
  state.deadlines.set(nameOf(apiKey), one.until, (moment) => void liveOf(state, apiKey, moment))
  return one.key
}

function nameOf(apiKey: string): string {
  return `listen key ${apiKey}`
}

function newListenKey(): ListenKey {
  return { key: newKey(), until: 0 }
}

// The venue's keys are 64 letters and digits; the small bias of the remainder does not matter to a name.
function newKey(): string {
  return Array.from(randomBytes(64), (byte) => LETTERS[byte % LETTERS.length]).join('')
}
