import { memo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { ManualRow } from './manual-row.tsx'
import { ManualTable } from './manual-table.tsx'
import type { Section } from './sections.ts'

const components: Components = { tr: ManualRow, table: ManualTable }
const plugins = [remarkGfm]

/** A section of the manual, at its anchor. */
export const ManualSection = memo(function ManualSection({ title, anchor, level, text }: Section) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section aria-labelledby={anchor}>
      <Heading id={anchor} tabIndex={-1}>
        {title}
      </Heading>
      <Markdown components={components} remarkPlugins={plugins}>
        {text}
      </Markdown>
    </section>
  )
})
