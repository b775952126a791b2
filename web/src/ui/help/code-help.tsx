import { useId, useState } from 'react'
import { explainError, hasHelp } from '../../shared/help/error-help.ts'
import './code-help.css'
import { HelpLines } from './help-lines.tsx'
import { helpTexts } from './help-texts.ts'
import { ManualLink } from './manual-link.tsx'

interface CodeHelpProps {
  code: string | null
  /** The message that came with the code. */
  message: string | null
  /** The exchange whose own numbers may be in the message. */
  exchange?: string | null | undefined
}

/** A button behind a code that opens what it means and what to do; nothing where the code has no help. */
export function CodeHelp({ code, message, exchange }: CodeHelpProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (code === null || !hasHelp(code)) return null
  const { cause, next } = explainError(code, message, exchange ?? null)
  return (
    <>
      <button
        type="button"
        className="code-help"
        aria-label={helpTexts.open(code)}
        title={helpTexts.open(code)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        ?
      </button>
      {isOpen && (
        <div id={id} className="code-help-text">
          <HelpLines cause={cause} next={next} />
          <ManualLink code={code} />
        </div>
      )}
    </>
  )
}
