import { parseMessage } from '@tripline/proto/language/parser'
import { noProblems } from '@tripline/proto/language/problem'
import type { BlockSyntax, HeaderSyntax } from '@tripline/proto/language/syntax'

/** A message on one line: each bot with its commands joined by arrows; the start of the text where it has none. */
export function messageSummary(message: string, labels: readonly string[]): string {
  const { blocks } = parseMessage(message, noProblems())
  const parts = blocks.map((block) => blockSummary(block, labels)).filter((part) => part !== '')
  return parts.length > 0 ? parts.join(', ') : message.replaceAll(/\s+/g, ' ').trim()
}

function blockSummary({ header, body }: BlockSyntax, labels: readonly string[]): string {
  const names = body.commands.map(({ name }) => name.text)
  return [...(header ? [labelOf(header, labels)] : []), ...names].join(' → ')
}

function labelOf({ before, quotedLabel }: HeaderSyntax, labels: readonly string[]): string {
  if (quotedLabel) return quotedLabel.text
  const text = before.text.trim().toLowerCase()
  const named = labels.filter((label) => text.endsWith(label.toLowerCase()))
  const longest = named.sort((a, b) => b.length - a.length)[0]
  return longest ?? before.text.trim().split(/\s+/).at(-1) ?? ''
}
