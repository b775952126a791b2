import { describe, expect, test } from '@jest/globals'
import type { KnownBot } from './label.ts'
import { type BlockNotation, noteBlocks } from './notation.ts'
import { readMessage } from './read-message.ts'

const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'My-Bot2', market: 'futures' },
  { label: 'Bot', market: 'futures' },
  { label: 'My Long Bot', market: 'futures' },
  { label: 'Spot1', market: 'spot' },
]

function labelsIn(message: string): string[] {
  return readMessage(message, bots).blocks.map(({ label }) => label)
}

function commandsOf(body: string): BlockNotation['cmds'] {
  const { blocks, diagnostics } = readMessage(`MyBot(BTCUSDT) { ${body}\n}`, bots)
  expect(diagnostics).toEqual([])
  return noteBlocks(blocks).flatMap(({ cmds }) => cmds)
}

describe('a label', () => {
  test.each([
    ['mybot(BTCUSDT) { balance }', 'MyBot'],
    ['MYBOT (BTCUSDT) { balance }', 'MyBot'],
    ['run My Long Bot(BTCUSDT) { balance }', 'My Long Bot'],
    ['my \t long  bot(BTCUSDT) { balance }', 'My Long Bot'],
    ['"My Long Bot"(BTCUSDT) { balance }', 'My Long Bot'],
    ['"bot" (BTCUSDT) { balance }', 'Bot'],
    ['Short Bot(BTCUSDT) { balance }', 'Bot'],
    ['now!Bot(BTCUSDT) { balance }', 'Bot'],
    ['"My-Bot2"(BTCUSDT) { balance }', 'My-Bot2'],
    ['My Long\nBot(BTCUSDT) { balance }', 'Bot'],
  ])('of %j is %j, as the list spells it', (message, label) => {
    expect(labelsIn(message)).toEqual([label])
  })

  test.each(['xBot(BTCUSDT) { balance }', 'Other-Bot(BTCUSDT) { balance }', 'Bot7(BTCUSDT) { balance }'])(
    'matches on a word boundary only: %j',
    (message) => {
      expect(readMessage(message, bots).diagnostics.map(({ code }) => code)).toEqual(['E201'])
    },
  )

  test('is named also where the message is refused', () => {
    const { blocks, named } = readMessage('Bot(BTCUSDT) { markt(buy, 1) } Spot1(BTCUSDT) { balance }', bots)
    expect({ blocks, named }).toEqual({ blocks: [], named: ['Bot', 'Spot1'] })
  })

  test.each([
    ['Bot(BTCUSDT) market(buy, 1)', ['Bot']],
    ['the alert:\nBot (BTCUSDT) {{ market(buy, 1) }}', ['Bot']],
    ['xBot(BTCUSDT) market(buy, 1)', []],
    ['Price is up', []],
  ])('is named also where no braces follow: %j', (message, labels) => {
    const { named, diagnostics } = readMessage(message, bots)
    expect([named, diagnostics[0]?.code]).toEqual([labels, 'E101'])
  })

  test.each(['""(BTCUSDT) { balance }', ': (BTCUSDT) { balance }', '(BTCUSDT) { balance() }'])(
    'is asked for where none is: %j',
    (message) => {
      const [diagnostic] = readMessage(message, bots).diagnostics
      expect(diagnostic?.code).toBe('E103')
      expect(diagnostic?.message).toContain('Your bots are')
    },
  )
})

describe('a symbol', () => {
  test.each([
    ['BTCUSDT', 'BTCUSDT', false],
    [' btc/usdt ', 'BTCUSDT', false],
    ['BTC-USDT', 'BTCUSDT', false],
    ['BTC_USDT', 'BTCUSDT', false],
    ['BINANCE:BTCUSDT', 'BTCUSDT', false],
    ['BTCUSDT.P', 'BTCUSDT', true],
    ['BYBIT:BTCUSDT.P', 'BTCUSDT', true],
    ['BTCUSDTPERP', 'BTCUSDT', true],
    ['BTC-USDT-PERP', 'BTCUSDT', true],
    ['BTC/USDT:USDT', 'BTCUSDT', true],
    ['BTCUSDT:USDT', 'BTCUSDT', true],
    ['BYBIT:BTC/USDT:USDT', 'BTCUSDT', true],
    ['BTC/USD:BTC', 'BTCUSD', true],
    ['PERPUSDT', 'PERPUSDT', false],
    ['1000PEPEUSDT.p', '1000PEPEUSDT', true],
    ['币安人生USDT', '币安人生USDT', false],
  ])('%j is %s, perpetual %s', (text, symbol, perp) => {
    const [block] = readMessage(`MyBot(${text}) { balance }`, bots).blocks
    expect({ symbol: block?.symbol, perp: block?.perp }).toEqual({ symbol, perp })
  })

  test.each([
    '',
    'BTC USDT',
    '.P',
    'BTC//USDT',
    'A:B:C:D',
    'BTCUSDT.X',
    ':USDT',
    'X'.repeat(41),
    'ß'.repeat(21),
  ])('%j is none', (text) => {
    const { diagnostics } = readMessage(`MyBot(${text}) { balance() }`, bots)
    expect(diagnostics.map(({ code }) => code)).toEqual(['E311'])
  })
})

describe('commands', () => {
  test('are separated by line, by semicolon, by comma and by a closing parenthesis', () => {
    const types = commandsOf('balance\ncancel; wait(1), wait(2) wait(3) wait(4)')
    expect(types.map(({ t }) => t)).toEqual(['balance', 'cancel', 'wait', 'wait', 'wait', 'wait'])
  })

  test('may be written as pairs with a type', () => {
    expect(commandsOf('type=market, side=buy,\n amount=1\n Type = wait , duration = 2m; balance')).toEqual([
      { t: 'market', side: 'buy', amount: 'base:1' },
      { t: 'wait', duration: 120_000 },
      { t: 'balance' },
    ])
    const pairs =
      'type=market, side=buy, amount=1,\n type=oco, tag=a { type=limit, side=sell, amount=1, price=5\n'
    expect(commandsOf(`${pairs} stop(sell, 1, 4) }`).map(({ t }) => t)).toEqual(['market', 'oneCancelsOther'])
  })

  test('are named in any case and by all their spellings', () => {
    const stops = ['stop', 'STOPMARKET', 'stopMarketOrder', 'stopLimit', 'stoploss', 'stopOrder']
    const commands = commandsOf(stops.map((name) => `${name}(sell, 1, triggerPrice=5)`).join('\n'))
    expect(new Set(commands.map((command) => JSON.stringify(command)))).toEqual(
      new Set([JSON.stringify({ t: 'stopOrder', side: 'sell', amount: 'base:1', price: 'abs:5' })]),
    )
  })

  test('take their values over several lines, with comments and a comma at the end', () => {
    expect(commandsOf('limit( # entry\n  buy, // side\n  1 /* all */,\n  58000,\n )')).toEqual([
      { t: 'limit', side: 'buy', amount: 'base:1', price: 'abs:58000' },
    ])
  })

  test('keep comment marks and quotes that belong to a value', () => {
    expect(commandsOf('market("buy", \' 0.5 \', tag="a-1") # )')).toEqual([
      { t: 'market', side: 'buy', amount: 'base:0.5', tag: 'a-1' },
    ])
  })

  test('ignore a parameter that only other products know how to follow', () => {
    expect(commandsOf('market(buy, 1, background=true)')).toEqual([
      { t: 'market', side: 'buy', amount: 'base:1' },
    ])
  })

  test('have a margin mode where it stands for the leverage', () => {
    expect(commandsOf('settings(cross, leverage=20x); settings(leverage=isolated, hedge=no)')).toEqual([
      { t: 'exchangeSettings', marginMode: 'cross', leverage: '20' },
      { t: 'exchangeSettings', marginMode: 'isolated', positionMode: 'oneWay' },
    ])
  })

  test('cancel tagged orders where only a tag is given, and everything where nothing is', () => {
    expect(commandsOf('cancel(tag=x1); cancel(tagged, x1); cancel')).toEqual([
      { t: 'cancel', which: 'tagged', tag: 'x1' },
      { t: 'cancel', which: 'tagged', tag: 'x1' },
      { t: 'cancel', which: 'all' },
    ])
  })

  test('have every option of theirs', () => {
    const body = `limit(buy, 1, offset=1%, postOnly=y, tif=GTC, positionSide=Long, ro=off)
      stop(position=-50%, offset=e1, limitPrice=-1%, trigger=index)
      sltp(sell, 10 USDT, 2%, -5, slLimitOffset=0.1%, tpType=limit, trigger=last)
      oco(mode=reduce, onPartial=keep) { limit(sell, 1, 2); stop(sell, 1, 1) }
      settings(maxOrderSize=500$, marginType=isolated)
      balance(usdt)`
    expect(commandsOf(body)).toEqual([
      {
        t: 'limit',
        side: 'buy',
        amount: 'base:1',
        price: 'off:1%',
        postOnly: true,
        tif: 'gtc',
        positionSide: 'long',
        reduceOnly: false,
      },
      { t: 'stopOrder', position: 'pct:-50', price: 'ent:1', limitPrice: 'rel:-1%', trigger: 'index' },
      {
        t: 'stopOrTakeProfit',
        side: 'sell',
        amount: 'asset:10:USDT',
        sl: 'off:2%',
        tp: 'rel:-5',
        slLimitOffset: 'off:0.1%',
        tpType: 'limit',
        trigger: 'last',
      },
      {
        t: 'oneCancelsOther',
        mode: 'reduce',
        onPartial: 'keep',
        legs: [
          { t: 'limit', side: 'sell', amount: 'base:1', price: 'abs:2' },
          { t: 'stopOrder', side: 'sell', amount: 'base:1', price: 'abs:1' },
        ],
      },
      { t: 'exchangeSettings', maxOrderSize: 'quote:500', marginMode: 'isolated' },
      { t: 'balance', asset: 'USDT' },
    ])
  })
})

describe('text around blocks', () => {
  test.each([
    'Up 5% {!} {{ticker}} (see) http://x.y/{z} # bot',
    "it's (a) note { of } nothing ) ( } /",
    '#bot',
    '// read this',
    '/* market(buy, 1) */',
  ])('%j is ignored', (text) => {
    for (const message of [`${text}\nMyBot(BTCUSDT) { balance }`, `MyBot(BTCUSDT) { balance }\n${text}`]) {
      const { blocks, diagnostics } = readMessage(message, bots)
      expect({ count: blocks.length, diagnostics }).toEqual({ count: 1, diagnostics: [] })
    }
  })

  test('may stand between a header and its brace only as blanks and comments', () => {
    expect(labelsIn('MyBot(BTCUSDT) # the long one\n\n{ balance }')).toEqual(['MyBot'])
    expect(labelsIn('MyBot(BTCUSDT): { balance }')).toEqual([])
  })

  test('a hashtag before a header comments nothing out', () => {
    expect(labelsIn('#alert MyBot(BTCUSDT) { balance }')).toEqual(['MyBot'])
  })
})

describe('unusual characters', () => {
  test('line ends of all kinds, a byte order mark, invisible ones and odd blanks read as if they were not there', () => {
    const odd =
      '\ufeffMyBot(BTC\u200bUSDT)\u00a0{\r\n mar\u200dket(buy,\u202f0.01)\r balance\u2028wait(1)\u2003}\r\n'
    const { blocks, diagnostics } = readMessage(odd, bots)
    expect(diagnostics).toEqual([])
    expect(noteBlocks(blocks)).toEqual([
      {
        label: 'MyBot',
        symbol: 'BTCUSDT',
        cmds: [
          { t: 'market', side: 'buy', amount: 'base:0.01' },
          { t: 'balance' },
          { t: 'wait', duration: 1000 },
        ],
      },
    ])
  })

  test.each(['–', '—', '−', '-'])('%s before a number is a minus', (dash) => {
    expect(
      commandsOf(`market(position=${dash}5); market(position=${dash} 5%); limit(buy, 1, ${dash}1%)`),
    ).toEqual([
      { t: 'market', position: 'base:-5' },
      { t: 'market', position: 'pct:-5' },
      { t: 'limit', side: 'buy', amount: 'base:1', price: 'rel:-1%' },
    ])
  })

  test('spans are places of the message as it was received', () => {
    const message = '\ufeffhello\u200b My\u200bBot(BTC\u200bUSDT.P) { market(bu\u200by, \u200b1\u200b0) }'
    const [block] = readMessage(message, bots).blocks
    const [command] = block?.commands ?? []
    const spans = [block?.labelSpan, block?.symbolSpan, command?.span, command?.valueSpans.amount]
    expect(
      spans.map((span) => message.slice(span?.offset, (span?.offset ?? 0) + (span?.length ?? 0))),
    ).toEqual(['My\u200bBot', 'BTC\u200bUSDT.P', 'market(bu\u200by, \u200b1\u200b0)', '1\u200b0'])
  })
})

describe('lines about the message itself', () => {
  test.each([
    ['@id a-1\n@sent 2026-01-01T00:00:00Z\nBot(BTCUSDT) { balance }', 'a-1', '2026-01-01T00:00:00Z'],
    ['Bot(BTCUSDT) { balance }\r\n  @ID  two words \r\n@id later', 'two words', undefined],
    ['mail @id 5\nBot(BTCUSDT) { balance\n@id 5\n}', undefined, undefined],
    ['@id\n@sent \nBot(BTCUSDT) { balance }', undefined, undefined],
  ])('%j', (message, id, sentAt) => {
    const reading = readMessage(message, bots)
    expect({ id: reading.id, sentAt: reading.sentAt }).toEqual({ id, sentAt })
  })
})

test('a message of a user without bots says so', () => {
  const [diagnostic] = readMessage('MyBot(BTCUSDT) { balance }', []).diagnostics
  expect(diagnostic?.message).toContain('You have no bots yet')
})
