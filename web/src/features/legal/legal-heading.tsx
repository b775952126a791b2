import type { ComponentProps } from 'react'
import { anchorOf } from './headings.ts'

/** A heading that the contents lead to. */
export function LegalHeading({ children }: ComponentProps<'h2'>) {
  return <h2 id={anchorOf(String(children))}>{children}</h2>
}
