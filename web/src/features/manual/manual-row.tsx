import type { ComponentProps } from 'react'
import type { ExtraProps } from 'react-markdown'
import { diagnosticHelp } from '../../shared/help/code-help.ts'
import { isDiagnosticCode } from '../../shared/help/error-help.ts'
import { HelpLines } from '../../ui/help/help-lines.tsx'

/** A row of a table; that of a code is the code's anchor, and has the help for it below. */
export function ManualRow({ node, children }: ComponentProps<'tr'> & ExtraProps) {
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
