import type { Diagnostic } from '@tripline/proto/language/diagnostic'
import { readAlert } from '@tripline/proto/language/formats/read-alert'
import type { KnownBot } from '@tripline/proto/language/label'

/** What is wrong with a message or worth a word, exactly as the webhook tells it; nothing of an empty one. */
export function problemsOf(message: string, bots: readonly KnownBot[]): Diagnostic[] {
  if (message.trim() === '') return []
  return readAlert(message, 'tripline', bots).diagnostics
}

/** The message with this fix made. */
export function withFix(message: string, { span, text }: NonNullable<Diagnostic['fix']>): string {
  return message.slice(0, span.offset) + text + message.slice(span.offset + span.length)
}

export type Severity = 'error' | 'warning' | 'info'

/** How grave a problem is: errors refuse the message. */
export function severityOf({ code }: Pick<Diagnostic, 'code'>): Severity {
  if (code.startsWith('E')) return 'error'
  return code.startsWith('W') ? 'warning' : 'info'
}
