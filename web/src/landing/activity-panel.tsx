import { type FocusEvent, useRef } from 'react'
import { ActivityRow } from './activity-row.tsx'
import { jumpText, landingTexts } from './landing-texts.ts'
import { useActivity } from './use-activity.ts'
import { useFollowEnd } from './use-follow-end.ts'

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
