import { describe, expect, test } from '@jest/globals'
import { commandTable, parametersOf, parameterTable, type WrittenName } from './command-table.ts'
import type { KnownBot } from './label.ts'
import { type CommandNotation, noteBlocks } from './notation.ts'
import { readMessage } from './read-message.ts'

// The definition's tables, written out again: a change of the command table shows here.
const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]

function readingOf(body: string, label = 'MyBot'): CommandNotation[] | string[] {
  const { blocks, diagnostics } = readMessage(`${label}(BTCUSDT) { ${body} }`, bots)
  const codes = diagnostics.map(({ code }) => code)
  return codes.length > 0 ? codes : noteBlocks(blocks).flatMap(({ cmds }) => cmds)
}

const spellings = {
  market: ['market', 'marketOrder', 'adjust'],
  limit: ['limit', 'limitOrder'],
  stopOrder: ['stopOrder', 'stop', 'stopMarket', 'stopMarketOrder', 'stopLimit', 'stopLoss'],
  stopOrTakeProfit: ['stopOrTakeProfit', 'sltp', 'tpsl'],
  oneCancelsOther: ['oneCancelsOther', 'oco'],
  cancel: ['cancel', 'cancelOrders'],
  balance: ['balance'],
  wait: ['wait', 'sleep', 'delay'],
  exchangeSettings: ['exchangeSettings', 'settings'],
}

/** For each command what it takes by place and by name only, each with a value and how it is noted. */
const commands: Record<string, { placed: [string, string][]; named: string[]; least: string }> = {
  market: {
    placed: [
      ['buy', 'side'],
      ['1', 'amount'],
    ],
    named: ['position', 'reduceOnly', 'positionSide', 'tag'],
    least: 'market(buy, 1',
  },
  limit: {
    placed: [
      ['buy', 'side'],
      ['1', 'amount'],
      ['5', 'price'],
    ],
    named: ['offset', 'position', 'postOnly', 'reduceOnly', 'tif', 'positionSide', 'tag'],
    least: 'limit(buy, 1, 5',
  },
  stopOrder: {
    placed: [
      ['sell', 'side'],
      ['1', 'amount'],
      ['5', 'price'],
    ],
    named: [
      ...['offset', 'limitPrice', 'limitOffset', 'position', 'reduceOnly', 'trigger', 'tif'],
      ...['positionSide', 'tag'],
    ],
    least: 'stop(sell, 1, 5',
  },
  stopOrTakeProfit: {
    placed: [
      ['sell', 'side'],
      ['1', 'amount'],
      ['1%', 'sl'],
      ['2%', 'tp'],
    ],
    named: [
      ...['position', 'slTrigger', 'tpTrigger', 'trigger', 'tpType', 'slLimitOffset', 'reduceOnly'],
      ...['positionSide', 'tag'],
    ],
    least: 'sltp(sell, 1, 1%',
  },
  oneCancelsOther: { placed: [], named: ['tag', 'mode', 'onPartial'], least: 'oco(' },
  cancel: {
    placed: [
      ['tagged', 'which'],
      ['a1', 'tag'],
    ],
    named: ['order'],
    least: 'cancel(tagged, a1',
  },
  balance: { placed: [['USDT', 'asset']], named: [], least: 'balance(' },
  wait: { placed: [['10', 'duration']], named: [], least: 'wait(10' },
  exchangeSettings: {
    placed: [['20', 'leverage']],
    named: ['marginMode', 'positionMode', 'maxOrderSize'],
    least: 'settings(20',
  },
}

const values: Record<string, [written: string, noted: unknown]> = {
  position: ['0', 'base:0'],
  reduceOnly: ['yes', true],
  postOnly: ['off', false],
  positionSide: ['LONG', 'long'],
  tag: ['a-_9', 'a-_9'],
  order: ['8a-_9', '8a-_9'],
  offset: ['1%', 'off:1%'],
  tif: ['IOC', 'ioc'],
  limitPrice: ['@5', 'abs:5'],
  limitOffset: ['2', 'off:2'],
  trigger: ['Mark', 'mark'],
  slTrigger: ['last', 'last'],
  tpTrigger: ['index', 'index'],
  tpType: ['limit', 'limit'],
  slLimitOffset: ['0.1%', 'off:0.1%'],
  mode: ['reduce', 'reduce'],
  onPartial: ['keep', 'keep'],
  marginMode: ['Cross', 'cross'],
  positionMode: ['one-way', 'oneWay'],
  maxOrderSize: ['500$', 'quote:500'],
}

const legs = '{ limit(sell, 1, 6); stop(sell, 1, 4) }'

test('there are these nine commands with these parameters', () => {
  const known = Object.fromEntries(commandTable.map((spec) => [spec.type, [spec.type, ...spec.spellings]]))
  expect(known).toEqual(spellings)
  for (const spec of commandTable) {
    const { placed, named } = commands[spec.type] ?? { placed: [], named: [] }
    expect([spec.positional, spec.named]).toEqual([placed.map(([, name]) => name), named])
  }
})

describe('every spelling of a command, in any case, is that command', () => {
  const spelled = Object.entries(spellings).flatMap(([type, names]) =>
    names.flatMap((name) =>
      [name, name.toUpperCase(), name.toLowerCase()].map((word) => [word, type] as const),
    ),
  )
  test.each(spelled)('%s', (word, type) => {
    const { least = '' } = commands[type] ?? {}
    const body = type === 'oneCancelsOther' ? legs : ''
    expect(readingOf(`${word}${least.slice(least.indexOf('('))})${body}`)).toMatchObject([{ t: type }])
    const pairs = argumentsOf(type).map(([name, value]) => `, ${name}=${value}`)
    expect(readingOf(`type=${word}${pairs.join('')} ${body}`)).toMatchObject([{ t: type }])
  })
})

describe('every parameter may be named, and those with a place may stand there', () => {
  test.each(Object.entries(commands).filter(([, { placed }]) => placed.length > 0))(
    '%s',
    (type, { placed }) => {
      const byPlace = readingOf(`${type}(${placed.map(([value]) => value).join(', ')})`)
      const byName = readingOf(`${type}(${placed.map(([value, name]) => `${name} = ${value}`).join(' , ')},)`)
      const inReverse = placed.toReversed().map(([value, name]) => `${name.toUpperCase()}="${value}"`)
      expect(byPlace).toMatchObject([{ t: type }])
      expect(byName).toEqual(byPlace)
      expect(readingOf(`${type}(${inReverse.join(',')})`)).toEqual(byPlace)
    },
  )

  const named = Object.entries(commands).flatMap(([type, { named }]) =>
    named.map((name) => [type, name] as const),
  )
  test.each(named)('%s takes %s', (type, name) => {
    const [written, noted] = values[name] ?? ['', undefined]
    const spec = commandTable.find((one) => one.type === type)
    const replaced = spec?.exclusive.flat().includes(name as WrittenName) || name === 'position'
    const base = argumentsOf(type).filter(
      ([other]) => name !== 'order' && !(replaced && ['price', 'side', 'amount'].includes(other)),
    )
    const sized = name === 'offset' ? [...base, ['position', '0']] : base
    const priced = name === 'position' && type !== 'market' && type !== 'stopOrTakeProfit'
    const limited = name.startsWith('limit') ? [['position', '0']] : []
    const needed = priced || limited.length > 0 ? [...sized, ...limited, ['price', '5']] : sized
    const list = [...needed, [name, written]].map(([key, value]) => `${key}=${value}`).join(', ')
    const [command] = readingOf(`${type}(${list})${type === 'oneCancelsOther' ? legs : ''}`)
    expect(command).toMatchObject({ t: type, [name === 'offset' ? 'price' : name]: noted })
  })
})

test.each([
  ...['qty', 'quantity', 'size'].map((alias) => [`market(side=buy, ${alias}=1)`, 'market(buy, 1)'] as const),
  ...['pos', 'target'].map((alias) => [`market(${alias}=1)`, 'market(position=1)'] as const),
  ...['at', 'stopPrice', 'triggerPrice'].flatMap((alias) => [
    [`limit(buy, 1, ${alias}=5)`, 'limit(buy, 1, 5)'] as const,
    [`stop(buy, 1, ${alias}=5)`, 'stop(buy, 1, 5)'] as const,
  ]),
  ...['reduce', 'ro'].map((alias) => [`market(buy, 1, ${alias}=1)`, 'market(buy, 1, reduceOnly=1)'] as const),
  ['limit(buy, 1, 5, post=y)', 'limit(buy, 1, 5, postOnly=true)'],
  ['limit(buy, 1, 5, timeInForce=fok)', 'limit(buy, 1, 5, tif=fok)'],
  ['sltp(amount=1, takeProfit=2%)', 'sltp(amount=1, tp=2%)'],
  ['sltp(amount=1, stopLoss=2%)', 'sltp(amount=1, sl=2%)'],
  ['sltp(amount=1, st=2%)', 'sltp(amount=1, sl=2%)'],
  ['stop(buy, 1, 5, triggerBy=last)', 'stop(buy, 1, 5, trigger=last)'],
  ['settings(marginType=cross)', 'settings(marginMode=cross)'],
  ['settings(margin=isolated)', 'settings(marginMode=isolated)'],
  ['settings(leverage=cross)', 'settings(marginMode=cross)'],
  ['settings(20X)', 'settings(leverage=20)'],
  ['settings(hedge=on)', 'settings(positionMode=hedge)'],
  ['settings(hedge=0)', 'settings(positionMode=oneWay)'],
  ...['long', 'b', 'BUY', 'Long', 'B'].map((side) => [`market(${side}, 1)`, 'market(buy, 1)'] as const),
  ...['short', 's', 'SELL', 'Short'].map((side) => [`market(${side}, 1)`, 'market(sell, 1)'] as const),
  ...['flat', 'close', 'FLAT'].map((word) => [`market(position=${word})`, 'market(position=0)'] as const),
  ['market(buy, 1, background=true)', 'market(buy, 1)'],
  ['cancel', 'cancel(all)'],
  ['cancel()', 'cancel(which=all)'],
  ['cancel(tag=a)', 'cancel(tagged, a)'],
])('%s is %s', (written, meant) => {
  expect(readingOf(written)).toMatchObject([{ t: expect.any(String) }])
  expect(readingOf(written)).toEqual(readingOf(meant))
})

const yes = ['true', '1', 'yes', 'y', 'on']
const no = ['false', '0', 'no', 'n', 'off']

test.each([...yes.map((word) => [word, true]), ...no.map((word) => [word, false])])(
  'the boolean %s is %s, in any case',
  (word, value) => {
    for (const written of [String(word), String(word).toUpperCase()]) {
      expect(readingOf(`limit(buy, 1, 5, postOnly=${written})`)).toMatchObject([{ postOnly: value }])
    }
  },
)

const choices: [parameter: WrittenName, choices: string[], command: string][] = [
  ['which', ['all', 'buy', 'sell', 'limit', 'stop', 'session'], 'cancel('],
  ['tif', ['gtc', 'ioc', 'fok'], 'limit(buy, 1, 5, '],
  ['trigger', ['mark', 'last', 'index'], 'stop(buy, 1, 5, '],
  ['tpType', ['limit', 'market'], 'sltp(buy, 1, 1%, '],
  ['positionSide', ['long', 'short', 'both'], 'market(buy, 1, '],
  ['marginMode', ['cross', 'isolated'], 'settings('],
  ['positionMode', ['oneWay', 'hedge'], 'settings('],
]

test.each(
  choices.flatMap(([parameter, all, command]) => all.map((one) => [parameter, one, command] as const)),
)('%s may be %s', (parameter, choice, command) => {
  expect(readingOf(`${command}${parameter}=${choice.toUpperCase()})`)).toMatchObject([
    { [parameter]: choice },
  ])
})

test.each(choices)('%s refuses another choice and lists its own', (parameter, all, command) => {
  const { diagnostics } = readMessage(`MyBot(BTCUSDT) { ${command}${parameter}=qwerty) }`, bots)
  expect(diagnostics).toMatchObject([{ code: 'E308', parameter }])
  for (const choice of all) expect(diagnostics[0]?.expected).toContain(choice)
})

describe('a parameter that another command has', () => {
  const misplaced = commandTable.flatMap((spec) =>
    (Object.keys(parameterTable) as WrittenName[])
      .filter((name) => !parametersOf(spec).includes(name))
      .filter((name) => !(spec.type === 'exchangeSettings' && name === 'mode'))
      .map((name) => [spec.type, name] as const),
  )
  test.each(misplaced)('%s does not take %s', (type, name) => {
    const { least = '' } = commands[type] ?? {}
    const comma = least.endsWith('(') ? '' : ', '
    expect(readingOf(`${least}${comma}${name}=1)${type === 'oneCancelsOther' ? legs : ''}`)).toEqual(['E205'])
  })
})

test.each([
  ['trigger=mark', 'stop(sell, 1, 5, '],
  ['trigger=index', 'stop(sell, 1, 5, '],
  ['slTrigger=mark', 'sltp(sell, 1, 1%, '],
  ['tpTrigger=index', 'sltp(sell, 1, 1%, '],
  ['reduceOnly=true', 'market(sell, 1, '],
  ['positionSide=short', 'market(sell, 1, '],
  ['position=-1', 'market('],
  ['leverage=5', 'settings('],
  ['marginMode=cross', 'settings('],
  ['positionMode=hedge', 'settings('],
])('a spot bot refuses %s where it stands', (pair, command) => {
  const message = `Spot1(BTCUSDT) { ${command}${pair}) }`
  const { diagnostics } = readMessage(message, bots)
  const [name, value] = pair.split('=')
  const span = { offset: message.lastIndexOf(`=${value}`) + 1, length: value?.length }
  expect(diagnostics).toMatchObject([{ code: 'E404', parameter: name, span }])
})

test.each(['trigger=last', 'reduceOnly=no'])('a spot bot takes %s', (pair) => {
  expect(readingOf(`stop(sell, 1, 5, ${pair})`, 'Spot1')).toMatchObject([{ t: 'stopOrder' }])
})

test.each([
  ...['trailingStop', 'aggressive', 'managed', 'scaled', 'twap', 'iceberg', 'pingPong'],
  ...['marketMaker', 'notify', 'waitFor', 'trailingTakeProfit', 'scaledOrder', 'icebergOrder', 'twapOrder'],
])('%s is known elsewhere and refused', (name) => {
  expect(readingOf(`${name}(side=sell, amount=1, offset=1%)`)).toEqual(['E203'])
  expect(readingOf(`type=${name}, side=sell`)).toEqual(['E203'])
})

test.each([
  'stop(if=positionLong)',
  'continue(if=flat)',
  'if(flat) { balance }',
  'if flat balance',
  'continue',
])('the guard %s refuses the message', (guard) => {
  expect(readingOf(`${guard}\nmarket(buy, 1)`)).toEqual(['E204'])
})

/** The parameters with a place, each with its value. */
function argumentsOf(type: string): [name: string, value: string][] {
  return (commands[type]?.placed ?? []).map(([value, name]) => [name, value])
}
