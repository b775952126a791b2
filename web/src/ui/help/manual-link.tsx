import { Link, useInRouterContext } from 'react-router-dom'
import { isDiagnosticCode } from '../../shared/help/error-help.ts'
import { manualPath } from '../../shared/paths.ts'
import { helpTexts } from './help-texts.ts'

/** The way to a code in the manual; nothing where the manual does not have it. */
export function ManualLink({ code }: { code: string | null }) {
  const isOnScreen = useInRouterContext()
  if (code === null || !isDiagnosticCode(code)) return null
  // A notice stands above the screens and outlives them.
  if (!isOnScreen)
    return (
      <a className="manual-link" href={manualPath(code)} target="_blank" rel="noreferrer">
        {helpTexts.manual(code)}
      </a>
    )
  return (
    <Link className="manual-link" to={manualPath(code)}>
      {helpTexts.manual(code)}
    </Link>
  )
}
