import type { ServerResponse } from 'node:http'
import { RefusedError } from './refused-error.ts'

// A place is free as soon as another one is given back, which nobody can tell beforehand.
const retryAfterS = 10

/** Gives each user, or whoever else is counted, at most so many places at a time. */
export interface KeyedLimit {
  /** Takes a place and returns how to give it back; refuses when all are taken. */
  acquire: (key: string) => () => void
}

/** Places for what each user does at the same time, named in the refusal; calls back for each one that is refused. */
export function createKeyedLimit(
  perUser: number,
  what: string,
  onRefused: () => void = () => undefined,
): KeyedLimit {
  const taken = new Map<string, number>()
  return {
    acquire: (key) => {
      const before = taken.get(key) ?? 0
      if (before >= perUser) {
        onRefused()
        throw new RefusedError('rate_limited', `At most ${perUser} ${what} at a time`, { retryAfterS })
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

/** Takes a place for as long as a response is open. */
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
