import { failureDetail } from '../../shared/failure.ts'
import { texts } from '../../shared/texts.ts'

/** Returns the text about a password that could not be set: the server's own words if it has some. */
export function resetFailureText(failure: unknown): string {
  const detail = failureDetail(failure)
  if (detail === undefined || detail === null || detail === '') return texts.resetPassword.fallback
  return typeof detail === 'string' ? detail : texts.resetPassword.refused
}

/** Whether the words of a failure say that the link is no longer good. */
export function isDeadLink(text: string): boolean {
  return text.includes('Invalid') || text.includes('expired')
}
