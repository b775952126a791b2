import { Button } from 'antd'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { texts } from '../../shared/texts.ts'
import { LiveLogRow } from './live-log-row.tsx'
import type { LogEntry } from './log-entries.ts'
import { logTexts } from './texts.ts'
import type { PausableLines } from './use-pausable-lines.ts'

// Within this distance of its end the log counts as being read there.
const endPx = 10

interface LogLinesProps {
  entries: readonly LogEntry[]
  pausable: PausableLines
  wraps: boolean
}

/** The lines themselves, following their end for as long as the person is there. */
export function LogLines({ entries, pausable, wraps }: LogLinesProps) {
  const box = useFollowedEnd(entries, pausable.isFollowing)
  // The way in by keyboard is the newest line that opens; from there on the arrows lead.
  const entrance = entries.findLast(({ event }) => event.details?.execution_id)?.number

  function onScroll() {
    const { scrollHeight, scrollTop, clientHeight } = box.current ?? document.body
    if (scrollHeight - scrollTop - clientHeight <= endPx) pausable.arrive()
    else pausable.leave()
  }
  return (
    <div className="live-log">
      <div
        ref={box}
        className={wraps ? 'log-lines log-wraps' : 'log-lines'}
        role="log"
        aria-live="off"
        aria-label={texts.log.heading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={moveBetweenLinks}
      >
        {pausable.shown.length === 0 && <p className="quiet">{texts.log.empty}</p>}
        {pausable.shown.length > 0 && entries.length === 0 && <p className="quiet">{logTexts.noMatch}</p>}
        {entries.map(({ number, event, count }) => (
          <LiveLogRow key={number} event={event} count={count} isEntrance={number === entrance} />
        ))}
      </div>
      {!pausable.isFollowing && !pausable.isPaused && (
        <Button size="small" className="log-jump" onClick={pausable.release}>
          {logTexts.jump(pausable.missed)}
        </Button>
      )}
    </div>
  )
}

/** A box that stays scrolled to its end, whatever changes in it or its size, while it is followed. */
function useFollowedEnd(entries: readonly LogEntry[], isFollowing: boolean) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls whenever the rows change.
  useLayoutEffect(() => {
    if (isFollowing) toEnd(box.current)
  }, [entries, isFollowing])
  useEffect(() => {
    if (!isFollowing || box.current === null) return
    const resized = new ResizeObserver(() => toEnd(box.current))
    resized.observe(box.current)
    return () => resized.disconnect()
  }, [isFollowing])
  return box
}

function toEnd(box: HTMLElement | null): void {
  box?.scrollTo({ top: box.scrollHeight })
}

function moveBetweenLinks(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.log-link')]
  const at = links.findIndex((link) => link.matches(':focus'))
  if (step === undefined || at < 0) return
  event.preventDefault()
  links[at + step]?.focus()
}
