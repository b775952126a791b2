import type { ReactNode } from 'react'

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

let isAsked = false

/** Fetches the files that the app begins with, so that the next page opens at once. */
function prefetchApp(): void {
  if (isAsked) return
  isAsked = true
  const files = document.querySelector<HTMLMetaElement>('meta[name=app-files]')?.content ?? ''
  for (const file of files.split(' ').filter((name) => name !== '')) document.head.append(preloading(file))
}

function preloading(file: string): HTMLLinkElement {
  const link = document.createElement('link')
  const isStyle = file.endsWith('.css')
  link.rel = isStyle ? 'preload' : 'modulepreload'
  if (isStyle) link.as = 'style'
  link.href = file
  return link
}
