import type { HelpEntry } from '../../shared/help/code-help.ts'
import { helpTexts } from './help-texts.ts'

/** The reason why something did not happen, unless it stands elsewhere, and what to do about it. */
export function HelpLines({ cause, next }: Pick<HelpEntry, 'next'> & Partial<HelpEntry>) {
  return (
    <>
      {cause !== undefined && <p className="quiet">{cause}</p>}
      <p>
        <strong>{helpTexts.next}:</strong> {next}
      </p>
    </>
  )
}
