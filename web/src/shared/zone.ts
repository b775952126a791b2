import { useSyncExternalStore } from 'react'
import { storageKeys } from './storage-keys.ts'

/** The clock by which times are shown: UTC, this computer's, or that of a zone by its IANA name. */
export type Clock = 'utc' | 'local' | (string & {})

const listeners = new Set<() => void>()

/** The clock that was chosen, UTC unless the person chose otherwise; follows every change. */
export function useClock(): Clock {
  return useSyncExternalStore(subscribe, currentClock, () => 'utc')
}

/** The zone by whose clock times are shown, by its IANA name. */
export function useZone(): string {
  return zoneOf(useClock())
}

/** Changes the clock of every time at once and for the next visits. */
export function chooseClock(clock: Clock): void {
  localStorage.setItem(storageKeys.clock, clock)
  for (const listener of listeners) listener()
}

/** The IANA name of a clock's zone. */
export function zoneOf(clock: Clock): string {
  if (clock === 'local') return new Intl.DateTimeFormat().resolvedOptions().timeZone
  return clock === 'utc' ? 'UTC' : clock
}

/** The zones that this browser knows, by their names. */
export function zoneNames(): readonly string[] {
  return Intl.supportedValuesOf('timeZone')
}

let checked: { text: string; isZone: boolean } | undefined

/** One that was stored and is none, as in a browser that knows fewer zones, counts as UTC. */
function currentClock(): Clock {
  const stored = localStorage.getItem(storageKeys.clock) ?? 'utc'
  if (stored === 'utc' || stored === 'local') return stored
  if (checked?.text !== stored) checked = { text: stored, isZone: isZone(stored) }
  return checked.isZone ? stored : 'utc'
}

function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: text })
    return true
  } catch {
    return false
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
