import fc from 'fast-check'
import { type CommandSpec, commandTable, parameterTable, type WrittenName } from '../command-table.ts'
import type { KnownBot } from '../label.ts'
import type { Block, Command } from '../tree.ts'

/** A tree without the places of the message it was read from. */
export type PlainBlock = Pick<Block, 'label' | 'symbol' | 'perp'> & { commands: PlainCommand[] }
export type PlainCommand = { type: string; legs?: PlainCommand[] } & Record<string, unknown>

export const knownBots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'Bot', market: 'futures' },
  { label: 'My Long Bot', market: 'futures' },
  { label: '-_ 7', market: 'futures' },
  { label: 'market', market: 'futures' },
  { label: 'oco', market: 'futures' },
]

const digits = fc.oneof(
  fc.constantFrom('1', '0.1', '0.00000001', '12345678901234567890', '0.30000000000000004', '1.50'),
  fc
    .tuple(fc.stringMatching(/^[1-9]\d{0,20}$/), fc.stringMatching(/^\d{0,20}$/))
    .map(([whole, fraction]) => (fraction === '' ? whole : `${whole}.${fraction}`)),
)
const number = fc.oneof({ weight: 9, arbitrary: digits }, fc.constantFrom('0', '0.0'))
const signed = fc
  .tuple(number, fc.boolean())
  .map(([value, isNegative]) => (isNegative && /[1-9]/.test(value) ? `-${value}` : value))

const bases = fc.constantFrom(
  'base',
  'percent',
  'percentEquity',
  'percentAvailable',
  'percentPosition',
  'quote',
)

function amount(value: fc.Arbitrary<string>): fc.Arbitrary<object> {
  const coins = fc.constantFrom('USDT', 'BTC', '1INCH', 'ETH', 'E7', '币安人生')
  return fc.oneof(
    fc.record({ basis: bases, value }),
    fc.record({ basis: fc.constant('asset'), value, coin: coins }),
  )
}

const absolute = fc.record({ basis: fc.constant('absolute'), value: digits, percent: fc.constant(false) })
const entry = fc.record({ basis: fc.constant('entry'), value: signed, percent: fc.boolean() })
const relative = fc.record({ basis: fc.constant('relative'), value: signed, percent: fc.boolean() })
const percentAway = fc.record({ basis: fc.constant('offset'), value: number, percent: fc.constant(true) })
const away = fc.record({ basis: fc.constant('offset'), value: number, percent: fc.boolean() })

function anyValue(parameter: WrittenName): fc.Arbitrary<unknown> {
  const { kind, choices = [] } = parameterTable[parameter]
  switch (kind) {
    case 'side':
      return fc.constantFrom('buy', 'sell')
    case 'amount':
      return amount(digits)
    case 'position':
      return amount(signed)
    case 'price':
      return fc.oneof(absolute, entry, relative, percentAway)
    case 'offset':
      return fc.oneof(absolute, entry, away)
    case 'boolean':
      return fc.boolean()
    case 'choice':
    case 'positionMode':
      return fc.constantFrom(...choices)
    case 'tag':
      return fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/)
    case 'orderId':
      return fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
    case 'duration':
      return fc.oneof(
        fc.integer({ min: 0, max: 86_400_000 }),
        fc.integer({ min: 0, max: 24 }).map((h) => h * 3.6e6),
      )
    case 'leverage':
      return fc.oneof(
        fc.integer({ min: 1, max: 200 }).map(String),
        fc.constantFrom('1.5', '199.999', '200.0'),
      )
    case 'coin':
      return fc.constantFrom('USDT', 'BTC', '1INCH')
  }
}

function anyCommand(spec: CommandSpec): fc.Arbitrary<PlainCommand> {
  const parameters = [...spec.positional, ...spec.named]
  const written = fc.record(Object.fromEntries(parameters.map((name) => [name, fc.option(anyValue(name))])))
  const needed = fc.record(Object.fromEntries(parameters.map((name) => [name, anyValue(name)])))
  return fc.tuple(written, needed, fc.boolean()).map(([some, all, isTarget]) => {
    const fields = { ...some }
    if (isTarget && parameters.includes('position')) fields['position'] = all['position']
    for (const names of spec.required) {
      const [first = ''] = names
      if (names.every((name) => fields[name] == null)) fields[first] = all[first]
    }
    return { type: spec.type, ...plainFields(spec, fields) }
  })
}

/** Only what may stand together, under the names of the tree. */
function plainFields(spec: CommandSpec, written: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.fromEntries(Object.entries(written).filter(([, value]) => value != null))
  const drop = (...names: string[]) => {
    for (const name of names) delete fields[name]
  }
  if ('position' in fields) drop('side', 'amount')
  for (const names of spec.exclusive) drop(...names.filter((name) => name in fields).slice(1))
  if (fields['postOnly'] === true && fields['tif'] !== 'gtc') drop('tif')
  if ('offset' in fields) fields['price'] = fields['offset']
  drop('offset')
  if (spec.type === 'cancel') {
    if ('order' in fields) drop('tag')
    const { which = 'all' } = fields
    const alone = which === 'tagged' || which === 'order' ? 'all' : which
    fields['which'] = 'order' in fields ? 'order' : 'tag' in fields ? 'tagged' : alone
  }
  if ('duration' in fields) fields['durationMs'] = fields['duration']
  drop('duration')
  return fields
}

const legSpecs = commandTable.filter(({ type }) => type === 'limit' || type === 'stopOrder')
const legs = fc.array(fc.oneof(...legSpecs.map(anyCommand)), { minLength: 2, maxLength: 10 })

const command = fc.oneof(
  ...commandTable.map((spec) =>
    spec.takesBody
      ? fc.tuple(anyCommand(spec), legs).map(([group, legs]) => ({ ...group, legs }))
      : anyCommand(spec),
  ),
)

const block = fc.record({
  label: fc.constantFrom(...knownBots.map(({ label }) => label)),
  symbol: fc.constantFrom('BTCUSDT', '1000PEPEUSDT', 'PERPUSDT', '币安人生USDT', 'ETHBTC', 'BTC'),
  perp: fc.boolean(),
  commands: fc.array(command, { minLength: 1, maxLength: 6 }),
})

/** Any tree that a message can give, up to its places. */
export const anyBlocks: fc.Arbitrary<PlainBlock[]> = fc.array(block, { minLength: 1, maxLength: 4 })

/** The tree without its places. */
export function plainBlocks(blocks: readonly Block[]): PlainBlock[] {
  return blocks.map(({ label, symbol, perp, commands }) => ({
    label,
    symbol,
    perp,
    commands: commands.map(plainCommand),
  }))
}

function plainCommand({ span: _1, valueSpans: _2, ...command }: Command): PlainCommand {
  return 'legs' in command ? { ...command, legs: command.legs.map(plainCommand) } : { ...command }
}
