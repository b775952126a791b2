import {
  type Amount,
  type AmountBasis,
  type Block,
  type Command,
  type ParameterName,
  type Price,
  type PriceBasis,
  parameterNames,
} from './tree.ts'

/** A command as the preview shows it: its type and what was written, values in one notation. */
export interface CommandNotation extends Partial<Record<ParameterName, string | number | boolean>> {
  t: Command['type']
  legs?: CommandNotation[]
}

/** A block as the preview shows it. */
export interface BlockNotation {
  label: string
  symbol: string
  perp?: true
  cmds: CommandNotation[]
}

/** The blocks as the preview shows them. */
export function noteBlocks(blocks: readonly Block[]): BlockNotation[] {
  return blocks.map(({ label, symbol, perp, commands }) => ({
    label,
    symbol,
    ...(perp ? { perp } : {}),
    cmds: commands.map(noteCommand),
  }))
}

function noteCommand(command: Command): CommandNotation {
  const notation: CommandNotation = { t: command.type }
  for (const parameter of parameterNames) {
    const value = writtenValue(command, parameter)
    if (value !== undefined) notation[parameter] = typeof value === 'object' ? noteSized(value) : value
  }
  if (command.type === 'oneCancelsOther') notation.legs = command.legs.map(noteCommand)
  return notation
}

function writtenValue(command: Command, parameter: ParameterName): Value | undefined {
  if (command.type === 'wait') return parameter === 'duration' ? command.durationMs : undefined
  const fields: Partial<Record<ParameterName, Value>> = command
  return fields[parameter]
}

function noteSized(value: Amount | Price): string {
  return 'percent' in value ? notePrice(value) : noteAmount(value)
}

function noteAmount({ basis, value, coin }: Amount): string {
  const amount = `${amountNotation[basis]}:${value}`
  return coin === undefined ? amount : `${amount}:${coin}`
}

function notePrice({ basis, value, percent }: Price): string {
  const sign = basis === 'relative' && !value.startsWith('-') ? '+' : ''
  return `${priceNotation[basis]}:${sign}${value}${percent ? '%' : ''}`
}

type Value = string | number | boolean | Amount | Price

const amountNotation: Record<AmountBasis, string> = {
  base: 'base',
  percent: 'pct',
  percentEquity: 'pctB',
  percentAvailable: 'pctA',
  percentPosition: 'pctP',
  quote: 'quote',
  asset: 'asset',
}

const priceNotation: Record<PriceBasis, string> = {
  absolute: 'abs',
  offset: 'off',
  entry: 'ent',
  relative: 'rel',
}
