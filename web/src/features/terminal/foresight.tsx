import type { Diagnostic } from '@tripline/proto/language/diagnostic'
import { useDeferredValue, useMemo } from 'react'
import { useSelector } from 'react-redux'
import { isOnlyBegun, problemsOf, severityOf, withFix } from '../../ui/editor/problems.ts'
import { MessagePreview } from './message-preview.tsx'
import { ProblemList } from './problem-list.tsx'
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
