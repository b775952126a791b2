import {
  type CommandSpec,
  commandNamed,
  parametersOf,
  parameterTable,
  type WrittenName,
} from './command-table.ts'
import { parseMessage } from './parser.ts'
import { placeArguments } from './place-arguments.ts'
import { noProblems, type Range } from './problem.ts'
import { readParameter } from './read-parameter.ts'
import { makeReadable, spanOf } from './readable-text.ts'
import { amountReference, commandReference, kindReference, priceReference } from './reference.ts'
import { readSymbol } from './symbol.ts'
import type { ArgumentSyntax, BlockSyntax, CommandSyntax, ValueSyntax } from './syntax.ts'
import type { AmountBasis, PriceBasis, Span } from './tree.ts'

/** The meaning of a word of a message, and its span. */
export interface Hover {
  span: Span
  /** One line. */
  doc: string
}

/** Returns the hover at this offset of the message; undefined for text outside the language. */
export function hoverAt(message: string, offset: number): Hover | undefined {
  const readable = makeReadable(message)
  const { blocks } = parseMessage(readable.text, noProblems())
  const holds = (range: Range | undefined): boolean => {
    if (range === undefined) return false
    const { offset: start, length } = spanOf(readable, range)
    return start <= offset && offset < start + length
  }
  for (const block of blocks) {
    const found = holds(block) ? hoverBlock(block, holds) : undefined
    if (found) return { span: spanOf(readable, found), doc: found.doc }
  }
  return undefined
}

type Holds = (range: Range | undefined) => boolean
type Found = (Range & { doc: string }) | undefined

function hoverBlock({ header, body }: BlockSyntax, holds: Holds): Found {
  if (header && holds(header.symbol))
    return { ...rangeOf(header.symbol), doc: describeSymbol(header.symbol.text) }
  const command = body.commands.find(holds)
  return command && hoverCommand(command, holds)
}

function hoverCommand(command: CommandSyntax, holds: Holds): Found {
  const spec = commandNamed(command.name.text)
  if (spec === undefined) return undefined
  if (holds(command.name)) return { ...rangeOf(command.name), doc: describeCommand(spec) }
  const leg = command.body?.commands.find(holds)
  if (leg) return hoverCommand(leg, holds)
  for (const [parameter, argument] of placeArguments(spec, command, noProblems()).placed) {
    if (holds(argument)) return hoverArgument(parameter, argument, holds)
  }
  return undefined
}

function hoverArgument(parameter: WrittenName, { name, value }: ArgumentSyntax, holds: Holds): Found {
  if (value && holds(value)) return { ...rangeOf(value), doc: describeValue(parameter, value) }
  return name && holds(name) ? { ...rangeOf(name), doc: describeParameter(parameter) } : undefined
}

function rangeOf({ start, end }: Range): Range {
  return { start, end }
}

function describeSymbol(text: string): string {
  const reading = readSymbol(text)
  if (reading.fault) return 'The symbol, written like BTCUSDT, BTC/USDT or BTCUSDT.P'
  const { symbol, perp } = reading.value
  return perp ? `The perpetual ${symbol}` : `The symbol ${symbol}`
}

function describeCommand(spec: CommandSpec): string {
  const names = parametersOf(spec).join(', ')
  const takes = names === '' ? '' : ` Takes ${names}.`
  return `${spec.type}: ${commandReference[spec.type].does}${takes}`
}

function describeParameter(parameter: WrittenName): string {
  const { hint, kind, choices } = parameterTable[parameter]
  return `${parameter} says ${hint}: ${choices?.join(', ') ?? kindReference[kind].is}.`
}

function describeValue(parameter: WrittenName, value: ValueSyntax): string {
  const reading = readParameter(parameter, value, undefined)
  if (reading.fault) return describeParameter(parameter)
  const meaning = meaningOf(reading.value)
  return meaning === undefined ? describeParameter(parameter) : `${parameter}: ${value.text} is ${meaning}.`
}

function meaningOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('basis' in value)) return undefined
  const { basis } = value as { basis: AmountBasis | PriceBasis }
  return basis in priceReference
    ? priceReference[basis as PriceBasis].means
    : amountReference[basis as AmountBasis].means
}
