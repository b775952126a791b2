import { useSyncExternalStore } from 'react'
import type { Clock } from '../../shared/moment-text.ts'
import { storageKeys } from '../../shared/storage-keys.ts'

const listeners = new Set<() => void>()

/** Whose clock the times of the table are shown by; UTC unless the person chose otherwise. */
export function useClock(): Clock {
  return useSyncExternalStore(listen, currentClock)
}

/** Changes to the other clock, for the next visits too. */
export function switchClock(): void {
  localStorage.setItem(storageKeys.clock, currentClock() === 'utc' ? 'local' : 'utc')
  for (const listener of listeners) listener()
}

function currentClock(): Clock {
  return localStorage.getItem(storageKeys.clock) === 'local' ? 'local' : 'utc'
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
