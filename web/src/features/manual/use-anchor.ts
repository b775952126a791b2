import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'react-router-dom'

/** Goes to the place that the address names, once it is drawn; a search that hides it ends. */
export function useAnchor(shown: number, endSearch: () => void): void {
  const { hash, key } = useLocation()
  const visited = useRef<string>(undefined)
  const visit = useEffectEvent(() => {
    if (hash === '' || visited.current === key) return
    const element = document.getElementById(hash.slice(1))
    if (element === null) return endSearch()
    visited.current = key
    element.scrollIntoView()
    element.focus({ preventScroll: true })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each section that is shown may have the place
  useEffect(visit, [hash, key, shown])
}
