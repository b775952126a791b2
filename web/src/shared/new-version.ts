import { useSyncExternalStore } from 'react'
import { storageKeys } from './storage-keys.ts'

// Any address of the app gives its page.
const anyPage = '/login'
const listeners = new Set<() => void>()
/** The script that the app begins with since it was deployed anew; undefined as long as that is ours. */
let newer: string | undefined

/** Notices when a file of the app is gone because a newer version was deployed. */
export function watchForNewVersion(): void {
  window.addEventListener('vite:preloadError', () => void lookForNewVersion())
}

/** Whether a newer version was deployed, as far as that was noticed. */
export function useHasNewVersion(): boolean {
  return useSyncExternalStore(listen, () => newer !== undefined)
}

/** Whether the page may load anew by itself: once for each version, so that servers that differ cause no circle. */
export function mayReload(): boolean {
  const tried = sessionStorage.getItem(storageKeys.reloadedFor) ?? ''
  if (newer === undefined || tried.includes(newer)) return false
  sessionStorage.setItem(storageKeys.reloadedFor, `${tried} ${newer}`)
  return true
}

async function lookForNewVersion(): Promise<void> {
  const ours = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const answer = await fetch(anyPage, { cache: 'no-store' }).catch(() => undefined)
  const theirs = /<script type="module"[^>]* src="([^"]+)"/.exec((await answer?.text()) ?? '')?.[1]
  if (theirs === undefined || theirs === ours) return
  newer = theirs
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
