import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The distance from its end, in pixels, at which a list still counts as being there. */
const nearEndPx = 10

/**
 * Keeps a growing list at its end while the reader is there and not pointing into it; counts what came unseen
 * otherwise. `newest` is the number of the newest line.
 */
export function useFollowEnd(list: RefObject<HTMLElement | null>, newest: number) {
  const [isAtEnd, setAtEnd] = useState(true)
  const [isPaused, setPaused] = useState(false)
  const seen = useRef(newest)
  const isFollowing = isAtEnd && !isPaused
  if (isFollowing) seen.current = newest
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line makes the list longer.
  useLayoutEffect(() => {
    if (isFollowing && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [list, newest, isFollowing])
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const look = () => setAtEnd(distanceToEnd(element) <= nearEndPx)
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [list])
  const jump = () => {
    setPaused(false)
    setAtEnd(true)
  }
  return { unseen: newest - seen.current, hold: () => setPaused(true), release: () => setPaused(false), jump }
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight
}
