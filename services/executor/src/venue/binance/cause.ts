import { refusalIn } from './codes.ts'

/** The cause without the request: library messages hold the whole URL, and with it the signature. */
export function causeOf(error: unknown): string {
  const refusal = refusalIn(error)
  if (refusal !== undefined) return `${refusal.text} (${refusal.code})`
  if (!(error instanceof Error)) return 'unknown fault'
  return error.name === 'DeadlineError' ? error.message : error.name
}
