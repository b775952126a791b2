import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type ActivityLine, readPublicEvent, withEvent } from './activity-lines.ts'
import { ActivityRow } from './activity-row.tsx'
import { followActivity } from './follow-activity.ts'
import { jumpText, landingTexts } from './landing-texts.ts'

const { activity } = landingTexts

/** The product's present activity, without names. */
export function ActivityPanel() {
  const { lines, isLive } = useActivity()
  const list = useRef<HTMLOListElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const { unseen, hold, release, jump } = useFollowEnd(list, lines.at(-1)?.id ?? 0)
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (!body.current?.contains(relatedTarget)) release()
  }
  // A pointer that goes from the list to the button over it is still there.
  const presence = { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: leave }
  return (
    <section className="box activity" aria-labelledby="activity">
      <header>
        <h2 id="activity">{activity.heading}</h2>
        <span className="activity-state" data-live={isLive} role="status">
          {isLive ? activity.live : activity.connecting}
        </span>
      </header>
      <div className="activity-body" ref={body}>
        <ol
          ref={list}
          aria-label={activity.list}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          tabIndex={0}
          {...presence}
        >
          {lines.map((line) => (
            <ActivityRow key={line.id} line={line} />
          ))}
        </ol>
        {lines.length === 0 && (
          <p className="activity-empty">{isLive ? activity.waiting : activity.connecting}</p>
        )}
        {unseen > 0 && (
          <button type="button" className="button activity-jump" onClick={jump} {...presence}>
            {jumpText(unseen)}
          </button>
        )}
      </div>
      <p className="activity-note">{activity.masked}</p>
    </section>
  )
}

/** The distance from its end, in pixels, at which a list still counts as being there. */
const nearEndPx = 10

/**
 * Keeps a growing list at its end while the reader is there and not pointing into it; counts what came unseen
 * otherwise. `newest` is the number of the newest line.
 */
function useFollowEnd(list: RefObject<HTMLElement | null>, newest: number) {
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

/** Returns the present events of everybody's alerts, oldest first, and whether the connection is open. */
function useActivity(): { lines: readonly ActivityLine[]; isLive: boolean } {
  const [lines, setLines] = useState<readonly ActivityLine[]>([])
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    let newest: string | undefined
    let since: string | undefined
    const onState = (isOpen: boolean) => {
      since = newest
      setLive(isOpen)
    }
    const onText = (text: string) => {
      const event = readPublicEvent(text)
      if (event === undefined) return
      const before = since
      if (event.type !== 'connected') newest = event.timestamp
      setLines((shown) => withEvent(shown, event, before))
    }
    void followActivity({ onState, onText }, leaving.signal)
    return () => leaving.abort()
  }, [])
  return { lines, isLive }
}
