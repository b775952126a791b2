import type { ReactNode } from 'react'

/** Why the last try of a form did not succeed, and what can be done about it. */
export function FormFailure({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="session-failure">
      <p>{text}</p>
      {children}
    </div>
  )
}
