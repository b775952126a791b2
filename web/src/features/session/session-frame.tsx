import type { ReactNode } from 'react'
import { paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { Brand } from '../../ui/brand.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
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
      <header>
        {/* The landing page is a document of its own. */}
        <a href={paths.landing} className="session-brand">
          <Brand />
        </a>
        <ThemeToggle />
      </header>
      <main className="session-card">
        <h1>{heading}</h1>
        {subheading && <p className="session-subheading">{subheading}</p>}
        {children}
        {footer && <p className="session-footer">{footer}</p>}
      </main>
    </div>
  )
}
