import type { ReactNode } from 'react'

interface OutcomeProps {
  kind: 'success' | 'failure'
  heading: string
  text: string
  children: ReactNode
}

/** The outcome of an act that a mailed link began, with the ways on; announced when it appears. */
export function Outcome({ kind, heading, text, children }: OutcomeProps) {
  return (
    <div className={`outcome outcome-${kind}`} role={kind === 'failure' ? 'alert' : 'status'}>
      <span className="outcome-glyph" aria-hidden="true">
        {kind === 'success' ? '✓' : '✕'}
      </span>
      <h2>{heading}</h2>
      <p>{text}</p>
      <div className="outcome-ways">{children}</div>
    </div>
  )
}
