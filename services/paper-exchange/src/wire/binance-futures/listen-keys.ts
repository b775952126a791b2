import { randomBytes } from 'node:crypto'
import type { Deadlines } from './deadlines.ts'

const VALID_MS = 3_600_000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The keys by which accounts listen to what happens to them: one at a time each, valid for an hour. */
export type ListenKeys = Readonly<{
  /** The account's live key, valid for an hour from now; a new one where it has none. */
  open: (apiKey: string, now: number) => string
  /** Makes the account's key valid for another hour and tells it, or undefined where it has none. */
  extend: (apiKey: string, now: number) => string | undefined
  close: (apiKey: string, now: number) => boolean
  /** The account's key, valid or not for long, or undefined where it has none. */
  current: (apiKey: string) => string | undefined
  /** Whose key this is, or undefined where it is none or no longer valid. */
  owner: (listenKey: string, now: number) => string | undefined
  /** Ends the keys of the accounts it is true of, and those whose hour is over. */
  expire: (isStruck: (apiKey: string) => boolean, now: number) => void
  /** Tells of every key that ends. */
  onEnd: (listener: EndListener) => void
}>

/** Hears of a key that ended: closed by the account, or because its hour was over. */
export type EndListener = (
  listenKey: string,
  apiKey: string,
  cause: 'closed' | 'expired',
  now: number,
) => void

type Held = { key: string; until: number }

/** No listen keys yet; each ends by itself when its hour is over. */
export function createListenKeys(deadlines: Deadlines): ListenKeys {
  const held = new Map<string, Held>()
  const owners = new Map<string, string>()
  const listeners: EndListener[] = []
  const end = (apiKey: string, cause: 'closed' | 'expired', now: number) => {
    const gone = held.get(apiKey)
    if (!gone) return
    held.delete(apiKey)
    owners.delete(gone.key)
    deadlines.drop(`listen key ${apiKey}`)
    for (const listener of listeners) listener(gone.key, apiKey, cause, now)
  }
  const liveOf = (apiKey: string, now: number): Held | undefined => {
    const one = held.get(apiKey)
    if (one && one.until > now) return one
    end(apiKey, 'expired', now)
    return undefined
  }
  const prolong = (apiKey: string, one: Held, now: number): void => {
    one.until = now + VALID_MS
    deadlines.set(`listen key ${apiKey}`, one.until, (moment) => void liveOf(apiKey, moment))
  }
  return {
    open: (apiKey, now) => {
      const one = liveOf(apiKey, now) ?? { key: newKey(), until: 0 }
      prolong(apiKey, one, now)
      held.set(apiKey, one)
      owners.set(one.key, apiKey)
      return one.key
    },
    extend: (apiKey, now) => {
      const one = liveOf(apiKey, now)
      if (one) prolong(apiKey, one, now)
      return one?.key
    },
    close: (apiKey, now) => {
      const isLive = liveOf(apiKey, now) !== undefined
      if (isLive) end(apiKey, 'closed', now)
      return isLive
    },
    current: (apiKey) => held.get(apiKey)?.key,
    owner: (listenKey, now) => {
      const apiKey = owners.get(listenKey)
      return apiKey !== undefined && liveOf(apiKey, now) ? apiKey : undefined
    },
    expire: (isStruck, now) => {
      for (const [apiKey, { until }] of [...held])
        if (until <= now || isStruck(apiKey)) end(apiKey, 'expired', now)
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
