import { type Completion, type Completions, completionsAt } from '@tripline/proto/language/complete'
import type { KnownBot } from '@tripline/proto/language/label'

/** The editor's offers at the cursor, and the range that they replace. */
export interface Offer extends Completions {
  items: Offered[]
}

export interface Offered extends Completion {
  /** The text put behind the cursor besides, so that nothing stays open. */
  closing: string
  /** More can be chosen where the cursor then stands. */
  leadsOn: boolean
}

/** The person's own words, besides the language itself, for messages. */
export interface Vocabulary {
  /** Undefined as long as nobody knows them. */
  bots: readonly KnownBot[] | undefined
  symbols: readonly string[]
}

/** Returns the choices at this offset; without a request only if something was begun. */
export function offerAt(
  message: string,
  offset: number,
  { bots, symbols }: Vocabulary,
  isAsked: boolean,
): Offer | undefined {
  const { range, items } = completionsAt(message, offset, bots ?? [], symbols)
  const typed = message.slice(range.offset, range.offset + range.length)
  if (!isAsked && !invites(message.slice(0, range.offset), typed)) return undefined
  const rest = message.slice(offset)
  // An example of a number must never take the place of the number that is being written.
  const fitting = items.filter(({ kind, label }) => isAsked || kind !== 'value' || !/\d/.test(label))
  const isComplete = fitting.some(({ label, insert }) => label === typed && insert === typed)
  if (fitting.length === 0 || (isComplete && !isAsked)) return undefined
  return { range, items: fitting.map((item) => offered(item, rest)) }
}

function invites(before: string, typed: string): boolean {
  return typed === '' ? /[(,=][ \t]*$/.test(before) : !/^[-+@$]?\d/.test(typed)
}

function offered(item: Completion, rest: string): Offered {
  const wanted = item.insert.endsWith('(') ? ')' : item.insert.endsWith('{ ') ? ' }' : ''
  const isThere = rest.trimStart().startsWith(wanted.trim())
  return { ...item, closing: isThere ? '' : wanted, leadsOn: /[(=]$/.test(item.insert) }
}
