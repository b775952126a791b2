import { type CommandSpec, commandNamed, parameterTable, type WrittenName } from './command-table.ts'
import type { Amount, AmountBasis, Block, Command, Price } from './tree.ts'

type Value = string | number | boolean | Amount | Price
type Pair = readonly [parameter: WrittenName, text: string]

/** The blocks as canonical text, one command a line; read again it gives the same tree. */
export function formatBlocks(blocks: readonly Block[]): string {
  return blocks.map(formatBlock).join('\n\n')
}

function formatCommand(command: Command): string {
  const spec = commandNamed(command.type)
  if (spec === undefined) return command.type
  const list = argumentsOf(spec, command)
  const call = list === '' ? spec.type : `${spec.type}(${list})`
  if (command.type !== 'oneCancelsOther') return call
  return `${call} {\n${indented(command.legs.map(formatCommand))}\n}`
}

function formatBlock({ label, symbol, perp, commands }: Block): string {
  const header = `${label}(${symbol}${perp ? '.P' : ''})`
  return `${header} {\n${indented(commands.map(formatCommand))}\n}`
}

function indented(texts: string[]): string {
  return texts.map((text) => text.replace(/^/gm, '  ')).join('\n')
}

/** Arguments stand by position as far as no earlier one is empty; the rest has names. */
function argumentsOf({ positional, named }: CommandSpec, command: Command): string {
  const placed: string[] = []
  const pairs: string[] = []
  for (const parameter of [...positional, ...named]) {
    const pair = writtenPair(parameter, command)
    if (pair === undefined) continue
    const [name, text] = pair
    const isPlaced = name === positional[placed.length] && pairs.length === 0
    if (isPlaced) placed.push(text)
    else pairs.push(`${name}=${text}`)
  }
  return [...placed, ...pairs].join(', ')
}

function writtenPair(parameter: WrittenName, command: Command): Pair | undefined {
  if (command.type === 'wait') return [parameter, formatDuration(command.durationMs)]
  const fields: Partial<Record<WrittenName, Value>> = command
  const value = fields[parameter]
  if (value === undefined) return undefined
  if (typeof value !== 'object') return [parameter, String(value)]
  if (!('percent' in value)) return [parameter, formatAmount(value)]
  // As a price, a distance without percent would be absolute.
  const isDistance = parameter === 'price' && value.basis === 'offset' && !value.percent
  const name = isDistance ? 'offset' : parameter
  return [name, formatPrice(value, parameterTable[name].kind === 'offset')]
}

function formatAmount({ basis, value, coin }: Amount): string {
  return coin === undefined ? `${value}${units[basis]}` : `${value} ${coin}`
}

const units: Record<AmountBasis, string> = {
  base: '',
  percent: '%',
  percentEquity: '%b',
  percentAvailable: '%a',
  percentPosition: '%p',
  quote: '$',
  asset: '',
}

function formatPrice({ basis, value, percent }: Price, isOffset: boolean): string {
  const text = percent ? `${value}%` : value
  switch (basis) {
    case 'absolute':
      return isOffset ? `@${text}` : text
    case 'entry':
      return `e${text}`
    case 'relative':
      return text.startsWith('-') ? text : `+${text}`
    case 'offset':
      return text
  }
}

function formatDuration(durationMs: number): string {
  const [size, unit] = durations.find(([size]) => durationMs > 0 && durationMs % size === 0) ?? [1_000, 's']
  return `${durationMs / size}${unit}`
}

const durations = [
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
  [1, 'ms'],
] as const
