import type { Diagnostic } from '@tripline/proto/language/diagnostic'
import { Button } from 'antd'
import { editorTexts } from '../../ui/editor/editor-texts.ts'
import { severityOf } from '../../ui/editor/problems.ts'
import { CodeHelp } from '../../ui/help/code-help.tsx'
import { previewTexts } from './texts.ts'

const glyphs = { error: '✕', warning: '▲', info: 'i' }

interface ProblemListProps {
  problems: readonly Diagnostic[]
  /** Moves the cursor to this place of the message. */
  onVisit: (offset: number) => void
  onFix: (fix: NonNullable<Diagnostic['fix']>) => void
}

/** The faults of a message, each with its fix if there is one. */
export function ProblemList({ problems, onVisit, onFix }: ProblemListProps) {
  if (problems.length === 0) return null
  return (
    <ul className="problems" aria-label={previewTexts.problems}>
      {problems.map((problem) => {
        const { code, message, cause, span, fix } = problem
        const severity = severityOf(problem)
        return (
          <li key={message} className={`problem problem-${severity}`}>
            <span aria-hidden="true">{glyphs[severity]}</span>
            <button
              type="button"
              className="problem-text"
              title={message}
              onClick={() => onVisit(span.offset)}
            >
              <code>{code}</code> {cause}
            </button>
            {fix && (
              <Button size="small" className="problem-fix" onClick={() => onFix(fix)}>
                {editorTexts.fix(fix.text)}
              </Button>
            )}
            <CodeHelp code={code} message={message} />
          </li>
        )
      })}
    </ul>
  )
}
