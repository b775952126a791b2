import type { Diagnostic } from '@tripline/proto/language/diagnostic'
import { Button } from 'antd'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useSelector } from 'react-redux'
import { useGetTradingStateQuery } from '../../shared/client.ts'
import { useLiveEvents } from '../../shared/live/use-live.ts'
import { editorTexts } from '../../ui/editor/editor-texts.ts'
import { isOnlyBegun, problemsOf, severityOf, withFix } from '../../ui/editor/problems.ts'
import { CodeHelp } from '../../ui/help/code-help.tsx'
import { MessagePreview } from './message-preview.tsx'
import { selectMessage, selectResponses } from './terminal-slice.ts'
import { previewTexts } from './texts.ts'
import { useKnownBots } from './use-bots.ts'
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

const looks = {
  error: { glyph: '✕', status: 'failed' },
  warning: { glyph: '▲', status: 'partial' },
  info: { glyph: 'i', status: 'note' },
}

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
        const { glyph, status } = looks[severityOf(problem)]
        return (
          <li key={message} className={`problem status-${status}`}>
            <span aria-hidden="true">{glyph}</span>
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

const everyMs = 10_000
/** From a fill to the rise: longer than a preview's pause, so that fills without end do not keep it from being asked for. */
const afterFillMs = 1000

/** Returns a number that rises with whatever may change what a message would do, and every 10 s while the page is seen. */
function useOccasions(): number {
  const [count, setCount] = useState(0)
  const [rise] = useState(() => () => setCount((before) => before + 1))
  const responses = useSelector(selectResponses)
  const { data: trading } = useGetTradingStateQuery()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is an occasion.
  useEffect(rise, [responses, trading?.state, rise])
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && rise(), everyMs)
    return () => clearInterval(timer)
  }, [rise])
  useFills(rise)
  return count
}

function useFills(rise: () => void): void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  useLiveEvents((events) => {
    if (waiting.current !== undefined || !events.some(({ details }) => details?.phase === 'filled')) return
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      rise()
    }, afterFillMs)
  })
}
