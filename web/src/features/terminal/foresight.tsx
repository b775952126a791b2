import type { Diagnostic } from '@tripline/proto/language/diagnostic'
import { Button } from 'antd'
import { useDeferredValue, useMemo } from 'react'
import { useSelector } from 'react-redux'
import { editorTexts } from '../../ui/editor/editor-texts.ts'
import { isOnlyBegun, problemsOf, severityOf, withFix } from '../../ui/editor/problems.ts'
import { CodeHelp } from '../../ui/help/code-help.tsx'
import { MessagePreview } from './message-preview.tsx'
import { selectMessage } from './terminal-slice.ts'
import { previewTexts } from './texts.ts'
import { useKnownBots } from './use-bots.ts'
import { useOccasions } from './use-occasions.ts'
import { usePreview } from './use-preview.ts'

interface ForesightProps {
  onVisit: (offset: number) => void
  onChange: (message: string) => void
}

/** The faults of the message that is being written, or else what it would do. */
export function Foresight({ onVisit, onChange }: ForesightProps) {
  const message = useSelector(selectMessage)
  const bots = useKnownBots()
  const read = useDeferredValue(message)
  const problems = useMemo(() => problemsOf(read, bots), [read, bots])
  const isRefused = problems.some((problem) => severityOf(problem) === 'error')
  const preview = usePreview(read, read.trim() !== '' && !isRefused, useOccasions())
  function fix(wanted: NonNullable<Diagnostic['fix']>) {
    onChange(withFix(read, wanted))
    onVisit(wanted.span.offset + wanted.text.length)
  }
  if (isOnlyBegun(read, problems)) {
    return (
      <div className="foresight">
        <p className="quiet">{previewTexts.begun}</p>
      </div>
    )
  }
  return (
    <div className="foresight">
      <ProblemList problems={problems} onVisit={onVisit} onFix={fix} />
      {!isRefused && <MessagePreview preview={preview} />}
    </div>
  )
}

const glyphs = { error: '✕', warning: '▲', info: 'i' }

interface ProblemListProps {
  problems: readonly Diagnostic[]
  /** Moves the cursor to this place of the message. */
  onVisit: (offset: number) => void
  onFix: (fix: NonNullable<Diagnostic['fix']>) => void
}

/** The faults of a message, each with its fix if there is one. */
function ProblemList({ problems, onVisit, onFix }: ProblemListProps) {
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
