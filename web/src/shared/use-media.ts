import { useCallback, useSyncExternalStore } from 'react'

/** Whether the window is as narrow as a phone's, where tables become cards. */
export function useIsNarrow(): boolean {
  return useMedia('(max-width: 767px)')
}

function useMedia(query: string): boolean {
  const listen = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(listen, () => matchMedia(query).matches)
}
