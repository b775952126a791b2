import { type ComponentProps, memo } from 'react'
import type { Components, ExtraProps } from 'react-markdown'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { diagnosticHelp } from '../../shared/help/code-help.ts'
import { isDiagnosticCode } from '../../shared/help/error-help.ts'
import { HelpLines } from '../../ui/help/help-lines.tsx'
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

/** A row of a table; that of a code is the code's anchor, and has the help for it below. */
function ManualRow({ node, children }: ComponentProps<'tr'> & ExtraProps) {
  const code = firstText(node)
  if (code === undefined || !isDiagnosticCode(code)) return <tr>{children}</tr>
  return (
    <>
      <tr id={code} tabIndex={-1} className="manual-code">
        {children}
      </tr>
      <tr className="manual-code-help">
        <td />
        <td>
          <HelpLines {...diagnosticHelp[code]} />
        </td>
      </tr>
    </>
  )
}

function firstText(node: ExtraProps['node']): string | undefined {
  const cell = node?.children.find((child) => child.type === 'element')
  const [content] = cell?.children ?? []
  return content?.type === 'text' ? content.value : undefined
}

/** A table that is moved sideways by itself where it is wider than the screen, also by keyboard. */
function ManualTable({ children }: ComponentProps<'table'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer moves it by the arrow keys
    <div className="manual-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}
