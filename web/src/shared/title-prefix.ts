import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let prefix = ''

/** Puts a text before every screen's title, such as a count that is seen in the tab. */
export function setTitlePrefix(next: string): void {
  prefix = next
  for (const listener of listeners) listener()
}

/** Returns the text before the title of the screen. */
export function useTitlePrefix(): string {
  return useSyncExternalStore(subscribe, () => prefix)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
