import { commentEnd, startsComment } from '@tripline/proto/language/character'
import { parseMessage } from '@tripline/proto/language/parser'
import { noProblems, type Range } from '@tripline/proto/language/problem'
import { makeReadable, type ReadableText, spanOf } from '@tripline/proto/language/readable-text'
import type { ArgumentSyntax, BlockSyntax, CommandSyntax } from '@tripline/proto/language/syntax'

/** The kind of a stretch of a message. */
export type SpanKind = 'label' | 'symbol' | 'command' | 'parameter' | 'value' | 'placeholder' | 'comment'

/** A stretch of a message that is drawn in a color of its own; offsets are UTF-16 units. */
export interface MessageSpan {
  offset: number
  length: number
  kind: SpanKind
}

type Found = Range & { kind: SpanKind }

/** Returns the spans of a message's parts, in the order of the text and none within another. */
export function spansOf(message: string): MessageSpan[] {
  const readable = makeReadable(message)
  const { blocks } = parseMessage(readable.text, noProblems())
  const found = blocks.flatMap((block) => blockSpans(readable.text, block))
  return apart(found).map(({ kind, ...range }) => ({ ...spanOf(readable, range), kind }))
}

/** Without those that begin within another: a broken message may be read in two ways at one place. */
function apart(spans: readonly Found[]): Found[] {
  const separate: Found[] = []
  for (const span of spans) if (span.start >= (separate.at(-1)?.end ?? 0)) separate.push(span)
  return separate
}

/** Returns the span of a block's command; undefined if there is none with this index. */
export function commandSpan(
  message: string,
  block: number,
  command: number,
): { offset: number; length: number } | undefined {
  const readable: ReadableText = makeReadable(message)
  const found = parseMessage(readable.text, noProblems()).blocks[block]?.body.commands[command]
  return found && spanOf(readable, found)
}

function blockSpans(text: string, { header, body, end }: BlockSyntax): Found[] {
  const head = header ? [labelSpan(header), { ...rangeOf(header.symbol), kind: 'symbol' as const }] : []
  const commands = body.commands.flatMap(commandSpans)
  return withComments(text, [...head, ...commands], { start: body.start, end })
}

// Which of the words before the parenthesis belong to the label hangs on the bots; all that may are taken.
function labelSpan({ quotedLabel, before }: NonNullable<BlockSyntax['header']>): Found {
  if (quotedLabel) return { ...rangeOf(quotedLabel), kind: 'label' }
  const [words = ''] = /[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u.exec(before.text) ?? []
  return { start: before.end - words.length, end: before.end, kind: 'label' }
}

function commandSpans({ name, args, body }: CommandSyntax): Found[] {
  const legs = body?.commands.flatMap(commandSpans) ?? []
  const own = [{ ...rangeOf(name), kind: 'command' as const }, ...args.flatMap(argumentSpans)]
  // In pairs the name stands among the arguments.
  return [...own.toSorted((one, other) => one.start - other.start), ...legs]
}

function argumentSpans({ name, value }: ArgumentSyntax): Found[] {
  const kind = value?.placeholder ? 'placeholder' : 'value'
  return [
    ...(name ? [{ ...rangeOf(name), kind: 'parameter' as const }] : []),
    ...(value ? [{ ...rangeOf(value), kind } as const] : []),
  ]
}

function withComments(text: string, spans: readonly Found[], { start, end }: Range): Found[] {
  const all: Found[] = []
  let at = start
  for (const span of [...spans, { start: end, end, kind: 'value' } as const]) {
    all.push(...commentsIn(text, at, span.start))
    if (span.end > span.start) all.push(span)
    at = Math.max(at, span.end)
  }
  return all
}

function commentsIn(text: string, from: number, to: number): Found[] {
  const comments: Found[] = []
  for (let at = from; at < to; at++) {
    if (!startsComment(text, at)) continue
    const end = Math.min(commentEnd(text, at), to)
    comments.push({ start: at, end, kind: 'comment' })
    at = end
  }
  return comments
}

function rangeOf({ start, end }: Range): Range {
  return { start, end }
}
