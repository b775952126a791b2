import { Link } from 'react-router-dom'
import { isDiagnosticCode } from '../../shared/help/error-help.ts'
import { manualPath } from '../../shared/paths.ts'
import { helpTexts } from './help-texts.ts'

/** The way to a code in the manual; nothing where the manual does not have it. */
export function ManualLink({ code }: { code: string | null }) {
  if (code === null || !isDiagnosticCode(code)) return null
  return (
    <Link className="manual-link" to={manualPath(code)}>
      {helpTexts.manual(code)}
    </Link>
  )
}
