import { randomBytes } from 'node:crypto'

const VALID_MS = 3_600_000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The keys by which accounts listen to what happens to them: one at a time each, valid for an hour. */
export type ListenKeys = Readonly<{
  /** The account's live key, valid for an hour from now; a new one where it has none. */
  open: (apiKey: string, now: number) => string
  /** Makes the account's key valid for another hour and tells it, or undefined where it has none. */
  extend: (apiKey: string, now: number) => string | undefined
  close: (apiKey: string, now: number) => boolean
  /** Whose key this is, or undefined where it is none or no longer valid. */
  owner: (listenKey: string, now: number) => string | undefined
  /** Ends the keys of the accounts it is true of, and those whose hour is over. */
  expire: (isStruck: (apiKey: string) => boolean, now: number) => void
  /** Tells of every key that ends. */
  onEnd: (listener: (listenKey: string, apiKey: string, cause: 'closed' | 'expired') => void) => void
}>

type Held = { key: string; until: number }

/** No listen keys yet. */
export function createListenKeys(): ListenKeys {
  const held = new Map<string, Held>()
  const owners = new Map<string, string>()
  const listeners: Parameters<ListenKeys['onEnd']>[0][] = []
  const end = (apiKey: string, cause: 'closed' | 'expired') => {
    const gone = held.get(apiKey)
    if (!gone) return
    held.delete(apiKey)
    owners.delete(gone.key)
    for (const listener of listeners) listener(gone.key, apiKey, cause)
  }
  const liveOf = (apiKey: string, now: number): Held | undefined => {
    const one = held.get(apiKey)
    if (one && one.until > now) return one
    end(apiKey, 'expired')
    return undefined
  }
  return {
    open: (apiKey, now) => {
      const one = liveOf(apiKey, now) ?? { key: newKey(), until: 0 }
      one.until = now + VALID_MS
      held.set(apiKey, one)
      owners.set(one.key, apiKey)
      return one.key
    },
    extend: (apiKey, now) => {
      const one = liveOf(apiKey, now)
      if (one) one.until = now + VALID_MS
      return one?.key
    },
    close: (apiKey, now) => {
      const isLive = liveOf(apiKey, now) !== undefined
      if (isLive) end(apiKey, 'closed')
      return isLive
    },
    owner: (listenKey, now) => {
      const apiKey = owners.get(listenKey)
      return apiKey !== undefined && liveOf(apiKey, now) ? apiKey : undefined
    },
    expire: (isStruck, now) => {
      for (const [apiKey, { until }] of [...held])
        if (until <= now || isStruck(apiKey)) end(apiKey, 'expired')
    },
    onEnd: (listener) => {
      listeners.push(listener)
    },
  }
}

// The venue's keys are 64 letters and digits; the small bias of the remainder does not matter to a name.
function newKey(): string {
  return Array.from(randomBytes(64), (byte) => LETTERS[byte % LETTERS.length]).join('')
}
