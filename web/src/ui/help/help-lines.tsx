import type { HelpEntry } from '../../shared/help/code-help.ts'
import { helpTexts } from './help-texts.ts'

/** Why something did not happen, and what to do about it. */
export function HelpLines({ cause, next }: HelpEntry) {
  return (
    <>
      <p className="quiet">{cause}</p>
      <p>
        <strong>{helpTexts.next}:</strong> {next}
      </p>
    </>
  )
}
