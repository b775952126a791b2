import type { Diagnostic } from '@tripline/proto/language/diagnostic'
import { readAlert } from '@tripline/proto/language/formats/read-alert'
import type { KnownBot } from '@tripline/proto/language/label'

const unknownBot = 'E201'

/**
 * Returns the diagnostics of a message, exactly as the webhook has them; none of an empty one. As long as nobody knows
 * the bots, none of them is called unknown.
 */
export function problemsOf(message: string, bots: readonly KnownBot[] | undefined): Diagnostic[] {
  if (message.trim() === '') return []
  const { diagnostics } = readAlert(message, 'tripline', bots ?? [])
  return bots === undefined ? diagnostics.filter(({ code }) => code !== unknownBot) : diagnostics
}

const unwritten = /^\{\s*\}$/

/** Whether a message is only begun: nothing is wrong with it but blocks between whose braces nothing stands yet. */
export function isOnlyBegun(message: string, problems: readonly Diagnostic[]): boolean {
  const isUnwritten = ({ span: { offset, length } }: Diagnostic) =>
    unwritten.test(message.slice(offset, offset + length))
  return problems.length > 0 && problems.every(isUnwritten)
}

/** The message with this fix made. */
export function withFix(message: string, { span, text }: NonNullable<Diagnostic['fix']>): string {
  return message.slice(0, span.offset) + text + message.slice(span.offset + span.length)
}

export type Severity = 'error' | 'warning' | 'info'

/** Returns the severity of a problem: errors refuse the message. */
export function severityOf({ code }: Pick<Diagnostic, 'code'>): Severity {
  if (code.startsWith('E')) return 'error'
  return code.startsWith('W') ? 'warning' : 'info'
}
