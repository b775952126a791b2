import {
  type CommandSpec,
  commandTable,
  parameterNamed,
  parametersOf,
  parameterTable,
  type ValueKind,
  type WrittenName,
} from './command-table.ts'
import { type ArgumentContext, contextAtEnd, type EditorContext } from './editor-context.ts'
import { type KnownBot, matchLabel } from './label.ts'
import { makeReadable, spanOf } from './readable-text.ts'
import { commandReference, kindReference, placeholderReference, symbolPlaceholder } from './reference.ts'
import type { HeaderSyntax } from './syntax.ts'
import type { Span } from './tree.ts'

/** Something that may stand at the cursor. */
export interface Completion {
  kind: 'bot' | 'symbol' | 'command' | 'parameter' | 'value' | 'placeholder'
  /** The text that is shown, and that replaces the range once chosen. */
  label: string
  insert: string
  /** The meaning, in one line. */
  doc: string
}

/** The texts that may stand at the cursor, and the stretch of the message that they replace. */
export interface Completions {
  range: Span
  items: Completion[]
}

/** Returns the texts that may stand at this offset of the message, narrowed by the word before it. */
export function completionsAt(
  message: string,
  offset: number,
  bots: readonly KnownBot[],
  symbols: readonly string[],
): Completions {
  const readable = makeReadable(message.slice(0, offset))
  const { text } = readable
  const context = contextAtEnd(text)
  const { start, items } =
    context.kind === 'outside' ? outsideBlocks(text, bots, symbols) : inBlock(text, context, bots)
  const typed = text.slice(start).toLowerCase()
  const matching = items.filter(({ label }) => label.toLowerCase().startsWith(typed))
  return { range: spanOf(readable, { start, end: text.length }), items: matching }
}

interface Candidates {
  start: number
  items: Completion[]
}

function outsideBlocks(text: string, bots: readonly KnownBot[], symbols: readonly string[]): Candidates {
  const line = /[^\n\r]*$/.exec(text.slice(-lineWindow))?.[0] ?? ''
  const [, symbol] = /[\p{L}\p{N}_"-][ \t]*\(\s*((?:\{\{)?[^(){}]*)$/u.exec(line) ?? []
  if (symbol !== undefined) {
    const items = symbols.map(
      (label): Completion => ({ kind: 'symbol', label, insert: label, doc: 'A symbol' }),
    )
    return { start: text.length - symbol.length, items: [...items, placeholderItem(symbolPlaceholder)] }
  }
  return { start: labelStart(text, line, bots), items: bots.map(botItem) }
}

// A label has at most 50 characters.
const lineWindow = 120

/** Returns the start of the longest end of the line that begins a label, on a word boundary. */
function labelStart(text: string, line: string, bots: readonly KnownBot[]): number {
  for (const { index } of line.matchAll(/(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]/gu)) {
    const typed = line.slice(index).toLowerCase()
    if (bots.some(({ label }) => label.toLowerCase().startsWith(typed))) return text.length - typed.length
  }
  return text.length - (/[\p{L}\p{N}_-]*$/u.exec(line)?.[0].length ?? 0)
}

function botItem({ label, market }: KnownBot): Completion {
  return { kind: 'bot', label, insert: `${label}(`, doc: market === 'spot' ? 'A spot bot' : 'A futures bot' }
}

function inBlock(text: string, context: EditorContext, bots: readonly KnownBot[]): Candidates {
  const start = wordStart(text)
  switch (context.kind) {
    case 'body':
      return { start, items: commandItems(context.isOco) }
    case 'arguments':
      return { start, items: argumentItems(context, isSpot(context.header, bots)) }
    default:
      return { start: text.length, items: [] }
  }
}

/** Returns the start of the word before the cursor; signs and units belong to it, and so does an open placeholder. */
function wordStart(text: string): number {
  const [word = ''] = /(?:\{\{[\w.]*|[\p{L}\p{N}_.@$%+-]*)$/u.exec(text.slice(-lineWindow)) ?? []
  return text.length - word.length
}

function isSpot(header: HeaderSyntax | undefined, bots: readonly KnownBot[]): boolean {
  const match = header && matchLabel(header, bots)
  return match?.fault === undefined && match?.bot.market === 'spot'
}

/** Every spelling of the commands that may stand there, canonical ones first. */
function commandItems(isOco: boolean): Completion[] {
  const specs = commandTable.filter(({ type }) => !isOco || type === 'limit' || type === 'stopOrder')
  const canonical = specs.map((spec) => commandItem(spec, spec.type))
  return [...canonical, ...specs.flatMap((spec) => spec.spellings.map((name) => commandItem(spec, name)))]
}

function commandItem(spec: CommandSpec, label: string): Completion {
  const opening = spec.takesBody ? ' { ' : '('
  const isComplete = spec.required.length === 0 && !spec.takesBody
  return {
    kind: 'command',
    label,
    insert: isComplete ? label : label + opening,
    doc: commandReference[spec.type].does,
  }
}

function argumentItems(context: ArgumentContext, isSpot: boolean): Completion[] {
  const { spec, named, slot, isPairs } = context
  if (isPairs && named?.toLowerCase() === 'type') {
    return commandItems(false).map((item) => ({ ...item, insert: item.label }))
  }
  if (spec === undefined) return []
  if (named !== undefined) return valueItems(parameterNamed(spec, named), isSpot)
  const parameters = freeParameters(context, spec, isSpot).map(parameterItem)
  return isPairs ? parameters : [...valueItems(spec.positional[slot], isSpot), ...parameters]
}

/** The parameters that neither are there nor contradict what is there. */
function freeParameters({ used }: ArgumentContext, spec: CommandSpec, isSpot: boolean): WrittenName[] {
  const groups = [...spec.exclusive, ['side', 'position'], ['amount', 'position']]
  const excluded = groups.filter((names) => names.some((name) => used.has(name as WrittenName))).flat()
  return parametersOf(spec).filter((name) => {
    const { refusedOnSpot, isNeverHonored = false } = parameterTable[name]
    const isRefused = isNeverHonored || (isSpot && refusedOnSpot === 'always')
    const isTarget = name === 'side' || name === 'amount' ? used.has('position') : excluded.includes(name)
    return !used.has(name) && !isRefused && !isTarget
  })
}

function parameterItem(name: WrittenName): Completion {
  return { kind: 'parameter', label: name, insert: `${name}=`, doc: `Says ${parameterTable[name].hint}` }
}

function valueItems(parameter: WrittenName | undefined, isSpot: boolean): Completion[] {
  if (parameter === undefined) return []
  const { kind, hint, choices = kindReference[kind].forms, refusedOnSpot } = parameterTable[parameter]
  const fit =
    isSpot && refusedOnSpot === 'unlessLast' ? choices.filter((choice) => choice === 'last') : choices
  const values = fit.map(
    (label): Completion => ({ kind: 'value', label, insert: label, doc: `Says ${hint}` }),
  )
  return [...values, ...placeholdersFor(kind)]
}

function placeholdersFor(kind: ValueKind): Completion[] {
  return placeholderReference.filter(({ kinds }) => kinds.includes(kind)).map(placeholderItem)
}

function placeholderItem({ text, means }: { text: string; means: string }): Completion {
  return { kind: 'placeholder', label: text, insert: text, doc: `TradingView puts ${means} here` }
}
