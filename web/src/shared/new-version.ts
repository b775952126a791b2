import { useSyncExternalStore } from 'react'
import { storageKeys } from './storage-keys.ts'

// Any address of the app gives its page.
const anyPage = '/login'
const listeners = new Set<() => void>()
/** The start files of a newer deployment; undefined as long as ours are the newest. */
let newer: string | undefined

/** Notices when a file of the app is gone because a newer version was deployed. */
export function watchForNewVersion(): void {
  window.addEventListener('vite:preloadError', () => void lookForNewVersion())
}

/** Whether a newer version was deployed, as far as that was noticed. */
export function useHasNewVersion(): boolean {
  return useSyncExternalStore(subscribe, () => newer !== undefined)
}

/** Whether the page may load anew by itself: once for each version, so that servers that differ cause no circle. */
export function mayReload(): boolean {
  const tried = sessionStorage.getItem(storageKeys.reloadedFor) ?? ''
  if (newer === undefined || tried.includes(newer)) return false
  sessionStorage.setItem(storageKeys.reloadedFor, `${tried} ${newer}`)
  return true
}

async function lookForNewVersion(): Promise<void> {
  const answer = await fetch(anyPage, { cache: 'no-store' }).catch(() => undefined)
  const page = new DOMParser().parseFromString((await answer?.text()) ?? '', 'text/html')
  const [theirs, ours] = [beginningOf(page), beginningOf(document)]
  if (theirs === undefined || theirs === ours) return
  newer = theirs
  for (const listener of listeners) listener()
}

/** Returns the start files of a page: their names change with what they hold. */
function beginningOf(page: Document): string | undefined {
  const script = page.querySelector('script[type=module]')
  return script?.getAttribute('src') ?? script?.textContent ?? undefined
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
