import { isBlank } from './character.ts'
import type { Fault, Range } from './problem.ts'
import { nearest } from './suggestion.ts'
import type { HeaderSyntax, Word } from './syntax.ts'
import { placeholderFault, quoted } from './syntax-fault.ts'

/** A bot of the user's, as far as the language must know it. */
export interface KnownBot {
  label: string
  market: 'futures' | 'spot'
}

/** The bot that a block names and where, or what is wrong with the name. */
export type LabelMatch = { bot: KnownBot; range: Range; fault?: undefined } | { range: Range; fault: Fault }

/** The bot with the longest label that the text before the parenthesis ends with, on a word boundary. */
export function matchLabel(
  header: Pick<HeaderSyntax, 'before' | 'quotedLabel'>,
  bots: readonly KnownBot[],
): LabelMatch {
  const { before, quotedLabel } = header
  if (quotedLabel) return matchQuoted(quotedLabel, bots)
  let best: { bot: KnownBot; range: Range } | undefined
  for (const bot of bots) {
    const start = startOfLabel(before.text, bot.label)
    if (start === undefined || bot.label.length <= (best?.bot.label.length ?? 0)) continue
    best = { bot, range: { start: before.start + start, end: before.end } }
  }
  return best ?? unknownLabel(before, lastWord(before), bots)
}

/** Returns the labels that the user may write before the parenthesis. */
export function listLabels(bots: readonly KnownBot[]): string {
  if (bots.length === 0) return 'You have no bots yet'
  const labels = bots.slice(0, listLimit).map(({ label }) => label)
  return `Your bots are ${labels.join(', ')}${bots.length > listLimit ? ', ...' : ''}`
}

const listLimit = 10

function matchQuoted(quotedLabel: Word, bots: readonly KnownBot[]): LabelMatch {
  const wanted = quotedLabel.text.trim()
  const bot = bots.find(({ label }) => startOfLabel(wanted, label) === 0)
  return bot ? { bot, range: quotedLabel } : unknownLabel(quotedLabel, quotedLabel, bots)
}

/** Returns the start of the label that the text ends with; a blank in it stands for any number of them. */
function startOfLabel(text: string, label: string): number | undefined {
  let at = text.length
  for (let index = label.length - 1; index >= 0; index--) {
    const wanted = label.charAt(index)
    if (wanted !== ' ') {
      at--
      if (!isSameLetter(text.charAt(at), wanted)) return undefined
    } else if (label.charAt(index - 1) !== ' ') {
      const end = at
      while (isBlank(text.charCodeAt(at - 1))) at--
      if (at === end) return undefined
    }
  }
  return at > 0 && /[\p{L}\p{N}_-]/u.test(text.charAt(at - 1)) ? undefined : at
}

function isSameLetter(a: string, b: string): boolean {
  return a === b || (a !== '' && a.toLowerCase() === b.toLowerCase())
}

function unknownLabel(before: Word, word: Word, bots: readonly KnownBot[]): LabelMatch {
  if (word.text.startsWith('{{')) return { range: word, fault: placeholderFault(word.text) }
  if (!/[\p{L}\p{N}]/u.test(word.text)) return { range: word, fault: unnamedBotFault(bots) }
  const meant = nearestLabel(before, bots)
  return {
    range: word,
    fault: {
      code: 'E201',
      cause: `unknown bot ${quoted(word.text)}`,
      expected: `${listLabels(bots)}. A bot of another account needs that account's webhook URL`,
      ...meant,
    },
  }
}

function unnamedBotFault(bots: readonly KnownBot[]): Fault {
  return {
    code: 'E103',
    cause: 'no bot is named here',
    expected: `A bot is named by its label. ${listLabels(bots)}`,
  }
}

/** The label nearest to as many of the last words as it has, and what to put in their place. */
function nearestLabel(before: Word, bots: readonly KnownBot[]): Pick<Fault, 'suggestion' | 'mend'> {
  const labels = bots.map(({ label }) => label)
  for (const count of [4, 3, 2, 1]) {
    const [words] = new RegExp(`(?:\\S+\\s+){${count - 1}}\\S+$`).exec(before.text) ?? []
    const suggestion = words && nearest(words, labels)
    if (!suggestion) continue
    const mend = { text: suggestion, start: before.end - words.length, end: before.end }
    return { suggestion, mend }
  }
  return {}
}

function lastWord(before: Word): Word {
  const [text = before.text] = /(?:\{\{[^{}]*\}\}|[\p{L}\p{N}_-]+|\S)$/u.exec(before.text) ?? []
  return { text, start: before.end - text.length, end: before.end }
}
