import { type DiagnosticCode, diagnosticCodes } from '@tripline/proto/error-code'
import { diagnosticHelp, type HelpEntry, refusalHelp } from './code-help.ts'
import { type VenueFamily, venueHelp } from './venue-help.ts'

/** An error as a person reads of it. */
export interface ExplainedError extends HelpEntry {
  code: string
  /** The error in a few words. */
  title: string
  /** The whole of what was said about it. */
  detail: string
  /** The exchange's own words and number, where it was the exchange that refused. */
  raw?: { text: string; number: number }
}

/** Returns the texts about an error: its cause and the next step, by the exchange's number if that says more. */
export function explainError(
  code: string | null,
  message: string | null,
  exchange: string | null,
): ExplainedError {
  const detail = withoutCode(message ?? '', code)
  const raw = venueWords(detail)
  const special = raw && venueHelp(familyOf(exchange), raw.number)
  const help = special ?? usualHelp(code) ?? { cause: detail, next: 'Look at the response for details.' }
  return { code: code ?? '', title: titleOf(code), detail, ...help, ...(raw && { raw }) }
}

/** Returns whether there is more to say of a code than came with it. */
export function hasHelp(code: string): boolean {
  return usualHelp(code) !== undefined
}

function usualHelp(code: string | null): HelpEntry | undefined {
  if (code === null) return undefined
  const tables: Record<string, HelpEntry | undefined> = { ...diagnosticHelp, ...refusalHelp }
  return tables[code]
}

/** Whether a code is one of those that the manual lists. */
export function isDiagnosticCode(code: string): code is DiagnosticCode {
  return Object.hasOwn(diagnosticCodes, code)
}

function titleOf(code: string | null): string {
  if (code === null) return 'failed'
  return isDiagnosticCode(code) ? diagnosticCodes[code] : code.replaceAll('_', ' ')
}

// The Paper exchange speaks as Binance does.
function familyOf(exchange: string | null): VenueFamily {
  if (exchange?.startsWith('okx')) return 'okx'
  return exchange?.startsWith('bybit') ? 'bybit' : 'binance'
}

const refusedByVenue = /The exchange refused: (.*) \((-?\d+)\)/s

function venueWords(detail: string): ExplainedError['raw'] {
  const [, text, number] = refusedByVenue.exec(detail) ?? []
  return text === undefined ? undefined : { text, number: Number(number) }
}

// The code has a place of its own.
function withoutCode(message: string, code: string | null): string {
  return code !== null && message.startsWith(`${code} `) ? message.slice(code.length + 1) : message
}
