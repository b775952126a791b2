import type { ReactNode } from 'react'
import { texts } from '../../shared/texts.ts'
import { OpenHeader } from '../../ui/open-header.tsx'
import './session-frame.css'

interface SessionFrameProps {
  heading: string
  subheading?: string
  footer?: ReactNode
  children: ReactNode
}

/** The card in which people log in, register and follow mailed links. */
export function SessionFrame({ heading, subheading, footer, children }: SessionFrameProps) {
  return (
    <div className="session-frame">
      <title>{`${heading} · ${texts.brand}`}</title>
      <OpenHeader />
      <main className="session-card">
        <h1>{heading}</h1>
        {subheading && <p className="quiet">{subheading}</p>}
        {children}
        {footer && <p className="quiet session-footer">{footer}</p>}
      </main>
    </div>
  )
}
