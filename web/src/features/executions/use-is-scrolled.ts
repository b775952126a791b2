import { useSyncExternalStore } from 'react'

// A touch of the page is no scrolling yet.
const scrolledFromPx = 10

/** Whether the page was scrolled away from its beginning. */
export function useIsScrolled(): boolean {
  return useSyncExternalStore(subscribe, isScrolled)
}

function isScrolled(): boolean {
  return window.scrollY > scrolledFromPx
}

function subscribe(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true })
  return () => removeEventListener('scroll', changed)
}
