import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** True where the window is as narrow as a phone's. */
export function useIsNarrow(): boolean {
  return useMedia('(max-width: 767px)')
}

/** True where a table of many columns has no room beside the navigation, so that its rows are cards. */
export function useHasCards(): boolean {
  return useMedia('(max-width: 1199px)')
}

function useMedia(query: string): boolean {
  // Made once: each time it is, the browser works out all styles that wait.
  const media = useMemo(() => matchMedia(query), [query])
  const listen = useCallback(
    (changed: () => void) => {
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [media],
  )
  return useSyncExternalStore(listen, () => media.matches)
}
