import type { ReactNode } from 'react'
import { texts } from '../shared/texts.ts'
import { useTitlePrefix } from '../shared/title-prefix.ts'

/** A screen's container, with its heading and what stands beside it. */
export function Page({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="page">
      <title>{`${useTitlePrefix()}${title} · ${texts.brand}`}</title>
      <header className="page-header">
        <h1>{title}</h1>
        {aside}
      </header>
      {children}
    </div>
  )
}
