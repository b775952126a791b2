import { matchLabel } from '@tripline/proto/language/label'
import { parseMessage } from '@tripline/proto/language/parser'
import { noProblems } from '@tripline/proto/language/problem'
import type { HeaderSyntax } from '@tripline/proto/language/syntax'

/** A message on one line: each bot with its commands joined by arrows; the text itself where it has none. */
export function messageSummary(message: string, labels: readonly string[]): string {
  const parts = parseMessage(message, noProblems()).blocks.map(({ header, body }) => {
    const names = body.commands.map(({ name }) => name.text)
    return [...(header ? [labelOf(header)] : []), ...names].join(' → ')
  })
  return parts.filter((part) => part !== '').join(', ') || message.replaceAll(/\s+/g, ' ').trim()

  function labelOf(header: HeaderSyntax): string {
    // The market plays no part in finding a label.
    const bots = labels.map((label) => ({ label, market: 'futures' }) as const)
    const match = matchLabel(header, bots)
    return match.fault ? message.slice(match.range.start, match.range.end) : match.bot.label
  }
}
