import { diagnosticCodes } from '@tripline/proto/error-code'
import {
  type CommandSpec,
  commandTable,
  parametersOf,
  parameterTable,
  type WrittenName,
} from '@tripline/proto/language/command-table'
import {
  amountReference,
  commandReference,
  kindReference,
  placeholderReference,
  priceReference,
} from '@tripline/proto/language/reference'

const parts: Record<string, () => string> = {
  commands: commandsTable,
  'each command': () => commandTable.map(commandSection).join('\n\n'),
  parameters: parametersTable,
  sizes: sizesTable,
  prices: pricesTable,
  'other values': valuesTable,
  placeholders: placeholdersTable,
  diagnostics: () => table(['code', 'meaning'], Object.entries(diagnosticCodes)),
}

/** The page with every part between `<!-- from the tables: NAME -->` and `<!-- end -->` as the tables have it now. */
export function fillIn(page: string): string {
  const filled = page.replaceAll(
    /(<!-- from the tables: ([\w ]+) -->\n).*?(\n<!-- end -->)/gs,
    (_, open: string, name: string, close: string) => open + partNamed(name) + close,
  )
  const missing = Object.keys(parts).filter((name) => !filled.includes(`<!-- from the tables: ${name} -->`))
  if (missing.length > 0) throw new Error(`The page has no place for ${missing.join(', ')}.`)
  return filled
}

function partNamed(name: string): string {
  const part = parts[name]
  if (part === undefined) throw new Error(`The tables have no part "${name}".`)
  return `\n${part()}\n`
}

function commandsTable(): string {
  const rows = commandTable.map(({ type, spellings, positional, named }) => [
    code(type),
    spellings.join(', '),
    positional.join(', '),
    named.join(', '),
  ])
  return table(['command', 'also written', 'by place', 'by name only'], rows)
}

function commandSection(spec: CommandSpec): string {
  const { does, notes, examples } = commandReference[spec.type]
  const lines = [...required(spec), ...notes].map((note) => `- ${note}`)
  const example = ['```alert', 'MyBot(BTCUSDT) {', ...examples.map((line) => `  ${line}`), '}', '```']
  const texts = [`### ${spec.type}`, does, example.join('\n'), lines.join('\n')]
  return texts.filter((text) => text !== '').join('\n\n')
}

function required({ required }: CommandSpec): string[] {
  const isHonored = (name: WrittenName): boolean => parameterTable[name].isNeverHonored !== true
  const names = required.map((alternatives) => alternatives.filter(isHonored).map(code).join(' or '))
  return names.length === 0 ? [] : [`Required: ${names.join('; ')}.`]
}

function parametersTable(): string {
  const rows = Object.entries(parameterTable).map(([name, { hint, kind, choices, aliases = [] }]) => [
    code(name),
    aliases.join(', '),
    hint,
    choices?.join(', ') ?? kindReference[kind].is,
    commandTable
      .filter((spec) => parametersOf(spec).includes(name as WrittenName))
      .map(({ type }) => type)
      .join(', '),
  ])
  return table(['parameter', 'also written', 'says', 'value', 'of'], rows)
}

function sizesTable(): string {
  const rows = Object.values(amountReference).map(({ forms, means }) => [forms.map(code).join(', '), means])
  return table(['written', 'means'], rows)
}

function pricesTable(): string {
  const rows = Object.values(priceReference).map(({ price, offset, means }) => [
    price.map(code).join(', '),
    offset.map(code).join(', '),
    means,
  ])
  return table(['as a price', 'as an offset', 'means'], rows)
}

function valuesTable(): string {
  const kinds = ['side', 'position', 'boolean', 'duration', 'leverage', 'tag', 'coin'] as const
  const rows = kinds.map((kind) => [
    kind,
    kindReference[kind].is,
    kindReference[kind].forms.map(code).join(', '),
  ])
  return table(['value', 'is', 'for example'], rows)
}

function placeholdersTable(): string {
  const rows = placeholderReference.map(({ text, means, kinds }) => [code(text), means, kinds.join(', ')])
  return table(['placeholder', 'TradingView puts there', 'fits as'], rows)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}
