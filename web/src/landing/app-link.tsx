import type { ReactNode } from 'react'
import { prefetchApp } from './prefetch-app.ts'

/** A link into the app, whose files are fetched as soon as somebody points at it. */
export function AppLink({
  href,
  className,
  children,
}: {
  href: string
  className: string
  children: ReactNode
}) {
  return (
    <a href={href} className={className} onPointerEnter={prefetchApp} onFocus={prefetchApp}>
      {children}
    </a>
  )
}
