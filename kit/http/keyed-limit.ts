import type { ServerResponse } from 'node:http'
import { RefusedError } from '../refused-error.ts'

// A slot is free as soon as another one is released, which nobody can know beforehand.
const retryAfterS = 10

/** Gives each key, such as a user or an address, at most so many slots at a time. */
export interface KeyedLimit {
  /** Takes a slot and returns its release function; refuses when all are taken. */
  acquire: (key: string) => () => void
}

/** Limits what each user does at the same time, named in the refusal; calls back for each one that is refused. */
export function createKeyedLimit(
  perUser: number,
  subject: string,
  onRefused: () => void = () => undefined,
): KeyedLimit {
  const taken = new Map<string, number>()
  return {
    acquire: (key) => {
      const before = taken.get(key) ?? 0
      if (before >= perUser) {
        onRefused()
        throw new RefusedError('rate_limited', `At most ${perUser} ${subject} at a time`, { retryAfterS })
      }
      taken.set(key, before + 1)
      return once(() => {
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      })
    },
  }
}

/** Takes a slot for as long as a response is open. */
export function acquireUntilClosed(limit: KeyedLimit, key: string, response: ServerResponse): void {
  whenClosed(response, limit.acquire(key))
}

/** Calls back once the response is closed, also when it was closed before. */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) listener()
  else response.once('close', listener)
}

function once(act: () => void): () => void {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}
