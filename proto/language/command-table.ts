import type { CommandType, ParameterName } from './tree.ts'

/** The form of a parameter's value. */
export type ValueKind =
  | 'side'
  | 'amount'
  | 'position'
  | 'price'
  | 'offset'
  | 'boolean'
  | 'choice'
  | 'positionMode'
  | 'tag'
  | 'orderId'
  | 'duration'
  | 'leverage'
  | 'coin'

/** A parameter as it can be written. `offset` is one of its own and lands in the tree's `price`. */
export type WrittenName = ParameterName | 'offset'

export interface ParameterSpec {
  kind: ValueKind
  /** For a person: what it says. */
  hint: string
  choices?: readonly string[]
  aliases?: readonly string[]
  /** When a spot bot cannot honor it. */
  refusedOnSpot?: 'always' | 'whenTrue' | 'whenNegative' | 'unlessLast'
  /** No market honors it: it is read so that its writer learns what to do instead. */
  isNeverHonored?: true
}

const triggers = ['mark', 'last', 'index'] as const

/** Every parameter, whichever commands take it. */
export const parameterTable: Record<WrittenName, ParameterSpec> = {
  side: { kind: 'side', hint: 'whether to buy or to sell' },
  amount: { kind: 'amount', hint: 'how much', aliases: ['qty', 'quantity', 'size'] },
  position: {
    kind: 'position',
    hint: 'which position to arrive at: positive long, negative short, 0 flat',
    aliases: ['pos', 'target'],
    refusedOnSpot: 'whenNegative',
  },
  price: {
    kind: 'price',
    hint: 'at which price it rests or triggers',
    aliases: ['at', 'stopPrice', 'triggerPrice'],
  },
  offset: { kind: 'offset', hint: 'how far from the market, away from it for this side' },
  limitPrice: { kind: 'price', hint: 'at which limit a stop-limit rests' },
  limitOffset: { kind: 'offset', hint: 'how far the limit is from the trigger price' },
  sl: { kind: 'price', hint: 'where to stop the loss', aliases: ['stopLoss', 'st'] },
  tp: { kind: 'price', hint: 'where to take the profit', aliases: ['takeProfit'] },
  slLimitOffset: { kind: 'offset', hint: 'how far the limit of the stop-loss is from its trigger price' },
  reduceOnly: {
    kind: 'boolean',
    hint: 'that it only shrinks the position',
    aliases: ['reduce', 'ro'],
    refusedOnSpot: 'whenTrue',
  },
  postOnly: { kind: 'boolean', hint: 'that it only rests in the book and never takes', aliases: ['post'] },
  tif: {
    kind: 'choice',
    hint: 'how long the order stays',
    choices: ['gtc', 'ioc', 'fok'],
    aliases: ['timeInForce'],
  },
  trigger: {
    kind: 'choice',
    hint: 'which price triggers',
    choices: triggers,
    aliases: ['triggerBy'],
    refusedOnSpot: 'unlessLast',
  },
  slTrigger: {
    kind: 'choice',
    hint: 'which price triggers the stop-loss',
    choices: triggers,
    refusedOnSpot: 'unlessLast',
  },
  tpTrigger: {
    kind: 'choice',
    hint: 'which price triggers the take-profit',
    choices: triggers,
    refusedOnSpot: 'unlessLast',
  },
  tpType: { kind: 'choice', hint: 'how the take-profit is placed', choices: ['limit', 'market'] },
  positionSide: {
    kind: 'choice',
    hint: 'which side of the position is meant in hedge mode',
    choices: ['long', 'short', 'both'],
    refusedOnSpot: 'always',
  },
  tag: { kind: 'tag', hint: 'your own name for the order' },
  which: {
    kind: 'choice',
    hint: 'which orders',
    choices: ['all', 'buy', 'sell', 'limit', 'stop', 'tagged', 'session', 'order'],
  },
  order: { kind: 'orderId', hint: 'the id of one open order, as the exchange or we named it' },
  asset: { kind: 'coin', hint: 'which coin' },
  duration: { kind: 'duration', hint: 'how long to wait' },
  leverage: { kind: 'leverage', hint: 'which leverage to set', refusedOnSpot: 'always' },
  marginMode: {
    kind: 'choice',
    hint: 'which margin mode to set',
    choices: ['cross', 'isolated'],
    aliases: ['marginType', 'margin'],
    refusedOnSpot: 'always',
  },
  positionMode: {
    kind: 'positionMode',
    hint: 'whether a symbol has one position, or one a side',
    choices: ['oneWay', 'hedge'],
    aliases: ['hedge'],
    refusedOnSpot: 'always',
  },
  maxOrderSize: {
    kind: 'amount',
    hint: 'how large an order may be: refused (E404), it is set with the bot',
    isNeverHonored: true,
  },
  mode: {
    kind: 'choice',
    hint: 'what a full fill of a leg does to larger ones',
    choices: ['cancel', 'reduce'],
  },
  onPartial: {
    kind: 'choice',
    hint: 'what a partial fill of a leg does to the others',
    choices: ['reduce', 'cancel', 'keep'],
  },
}

export interface CommandSpec {
  type: CommandType
  /** Other names it is written by. */
  spellings: readonly string[]
  /** The parameters that may be written without their name, in this order. */
  positional: readonly WrittenName[]
  /** The parameters that need their name. */
  named: readonly WrittenName[]
  /** Of each list at least one must be written. */
  required: readonly (readonly WrittenName[])[]
  /** Of each list at most one may be written. */
  exclusive: readonly (readonly WrittenName[])[]
  takesBody: boolean
  example: string
}

const sized = [
  ['side', 'position'],
  ['amount', 'position'],
] as const
const priced = ['price', 'offset'] as const

/** The nine commands. */
export const commandTable: readonly CommandSpec[] = [
  {
    type: 'market',
    spellings: ['marketOrder', 'adjust'],
    positional: ['side', 'amount'],
    named: ['position', 'reduceOnly', 'positionSide', 'tag'],
    required: sized,
    exclusive: [],
    takesBody: false,
    example: 'market(buy, 0.01)',
  },
  {
    type: 'limit',
    spellings: ['limitOrder'],
    positional: ['side', 'amount', 'price'],
    named: ['offset', 'position', 'postOnly', 'reduceOnly', 'tif', 'positionSide', 'tag'],
    required: [...sized, priced],
    exclusive: [priced],
    takesBody: false,
    example: 'limit(buy, 0.01, 58000)',
  },
  {
    type: 'stopOrder',
    spellings: ['stop', 'stopMarket', 'stopMarketOrder', 'stopLimit', 'stopLoss'],
    positional: ['side', 'amount', 'price'],
    named: [
      'offset',
      'limitPrice',
      'limitOffset',
      'position',
      'reduceOnly',
      'trigger',
      'tif',
      'positionSide',
      'tag',
    ],
    required: [...sized, priced],
    exclusive: [priced, ['limitPrice', 'limitOffset']],
    takesBody: false,
    example: 'stop(sell, 100%, 58000)',
  },
  {
    type: 'stopOrTakeProfit',
    spellings: ['sltp', 'tpsl'],
    positional: ['side', 'amount', 'sl', 'tp'],
    named: [
      'position',
      'slTrigger',
      'tpTrigger',
      'trigger',
      'tpType',
      'slLimitOffset',
      'reduceOnly',
      'positionSide',
      'tag',
    ],
    required: [
      ['amount', 'position'],
      ['sl', 'tp'],
    ],
    exclusive: [],
    takesBody: false,
    example: 'stopOrTakeProfit(amount=100%p, sl=1%, tp=2%)',
  },
  {
    type: 'oneCancelsOther',
    spellings: ['oco'],
    positional: [],
    named: ['tag', 'mode', 'onPartial'],
    required: [],
    exclusive: [],
    takesBody: true,
    example: 'oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }',
  },
  {
    type: 'cancel',
    spellings: ['cancelOrders'],
    positional: ['which', 'tag'],
    named: ['order'],
    required: [],
    exclusive: [],
    takesBody: false,
    example: 'cancel(tagged, tag=exit1)',
  },
  {
    type: 'balance',
    spellings: [],
    positional: ['asset'],
    named: [],
    required: [],
    exclusive: [],
    takesBody: false,
    example: 'balance(USDT)',
  },
  {
    type: 'wait',
    spellings: ['sleep', 'delay'],
    positional: ['duration'],
    named: [],
    required: [['duration']],
    exclusive: [],
    takesBody: false,
    example: 'wait(10s)',
  },
  {
    type: 'exchangeSettings',
    spellings: ['settings'],
    positional: ['leverage'],
    named: ['marginMode', 'positionMode', 'maxOrderSize'],
    required: [['leverage', 'marginMode', 'positionMode', 'maxOrderSize']],
    exclusive: [],
    takesBody: false,
    example: 'exchangeSettings(leverage=10)',
  },
]

// Words that other products put before a condition; a guard that is not honored must refuse the message.
const conditionNames: ReadonlySet<string> = new Set([
  'continue',
  'if',
  'else',
  'while',
  'unless',
  'when',
  'condition',
])

// Commands of other products and what comes nearest here, by their name in lower case without `order`.
const foreignCommands: ReadonlyMap<string, string | undefined> = new Map([
  ['trailingstop', 'stopOrder'],
  ['trailingstoploss', 'stopOrder'],
  ['trailing', 'stopOrder'],
  ['trailingtakeprofit', 'stopOrTakeProfit'],
  ['aggressive', 'limit'],
  ['aggressiveentry', 'limit'],
  ['chase', 'limit'],
  ['managed', 'limit'],
  ['managedentry', 'limit'],
  ['scaled', 'limit'],
  ['scaledentry', 'limit'],
  ['ladder', 'limit'],
  ['waterfall', 'limit'],
  ['dca', 'limit'],
  ['bracket', 'stopOrTakeProfit'],
  ['trailingstopandtakeprofit', 'stopOrTakeProfit'],
  ['twap', 'market'],
  ['steppedmarket', 'market'],
  ['iceberg', 'limit'],
  ['pingpong', undefined],
  ['marketmaker', undefined],
  ['grid', undefined],
  ['notify', undefined],
  ['alert', undefined],
  ['waitfor', 'wait'],
  ['waitforfill', 'wait'],
])

/** Whether the name puts a condition, as a command or as a parameter. */
export function isConditionName(name: string): boolean {
  return conditionNames.has(name.toLowerCase())
}

/** Whether the name is a command of another product that is not known here. */
export function isForeignCommand(name: string): boolean {
  return foreignCommands.has(foreignKey(name))
}

/** The command that comes nearest to one of another product. */
export function nearestToForeign(name: string): string | undefined {
  return foreignCommands.get(foreignKey(name))
}

function foreignKey(name: string): string {
  return name.toLowerCase().replace(/order$/, '')
}

const commandsBySpelling = new Map(
  commandTable.flatMap((spec) => [spec.type, ...spec.spellings].flatMap((name) => inBothCases(name, spec))),
)

// As it is spelled here and in lower case: most names are written as here, and then need no change of case.
function inBothCases<Meant>(name: string, meant: Meant): [string, Meant][] {
  return [
    [name, meant],
    [name.toLowerCase(), meant],
  ]
}

/** The command that is written by this name, in any case. */
export function commandNamed(name: string): CommandSpec | undefined {
  return commandsBySpelling.get(name) ?? commandsBySpelling.get(name.toLowerCase())
}

/** Every name a command is written by. */
export const commandNames: readonly string[] = commandTable.flatMap((spec) => [spec.type, ...spec.spellings])

/** The parameters of a command, the positional ones first. */
export function parametersOf(spec: CommandSpec): WrittenName[] {
  return [...spec.positional, ...spec.named]
}

const parametersByName = new Map(commandTable.map((spec) => [spec, namesOfParameters(spec)]))

/** The parameter of a command that is written by this name, in any case. */
export function parameterNamed(spec: CommandSpec, name: string): WrittenName | undefined {
  const names = parametersByName.get(spec)
  return names?.get(name) ?? names?.get(name.toLowerCase())
}

function namesOfParameters(spec: CommandSpec): Map<string, WrittenName> {
  return new Map(
    parametersOf(spec).flatMap((parameter) =>
      [parameter, ...(parameterTable[parameter].aliases ?? [])].flatMap((name) =>
        inBothCases(name, parameter),
      ),
    ),
  )
}
