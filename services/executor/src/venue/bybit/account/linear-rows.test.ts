import { describe, expect, test } from '@jest/globals'
import { readFills, readPositions, readWallet } from './linear-rows.ts'
import { createPlainCoins } from './plain-coins.ts'

const symbol = 'BTCUSDT'
const execution = (more: object = {}) => ({
  topic: 'execution.linear',
  creationTime: 6005,
  data: [
    {
      category: 'linear',
      symbol,
      orderId: 'o-1',
      orderLinkId: 'own',
      side: 'Buy',
      orderQty: '0.3',
      leavesQty: '0.1',
      execQty: '0.05',
      closedSize: '0',
      execType: 'Trade',
      execTime: '6000',
      seq: 42,
      ...more,
    },
  ],
})
const oneWay = () => 'oneWay' as const
const hedge = () => 'hedge' as const
const other = { at: 6005, isWhole: false, wallets: new Map(), positions: [] }

describe('an execution', () => {
  test('is a fill of its order, with all that is filled of it', () => {
    expect(readFills(execution(), oneWay)).toEqual([
      {
        ...{ at: 6000, step: 42, symbol, side: 'both', clientOrderId: 'own' },
        ...{ change: '0.05', filled: '0.2' },
      },
    ])
    expect(readFills(execution({ side: 'Sell' }), oneWay)).toMatchObject([{ change: '-0.05' }])
  })

  test('of an order without a name of ours goes by the name that the venue gave it', () => {
    expect(readFills(execution({ orderLinkId: '' }), oneWay)).toMatchObject([{ clientOrderId: 'o-1' }])
  })

  test.each([
    ['Buy', '0', 'long'],
    ['Sell', '0.05', 'long'],
    ['Sell', '0', 'short'],
    ['Buy', '0.05', 'short'],
  ])('in hedge mode that is a %s and closed %s is of the %s side', (side, closedSize, expected) => {
    expect(readFills(execution({ side, closedSize }), hedge)).toMatchObject([{ side: expected }])
  })

  test('of funding changes no position', () => {
    expect(readFills(execution({ execType: 'Funding', orderLinkId: '' }), oneWay)).toEqual([])
  })

  test.each(['BustTrade', 'AdlTrade', 'Settle', 'MovePosition'])(
    'of the kind %s is to be read',
    (execType) => {
      expect(readFills(execution({ execType }), oneWay)).toEqual([other])
    },
  )

  test('is to be read where the position mode is not known, or the rest makes no sense', () => {
    expect(readFills(execution(), () => undefined)).toEqual([other])
    expect(readFills(execution({ leavesQty: '0.3' }), oneWay)).toEqual([other])
  })
})

describe('a position', () => {
  const row = {
    ...{ symbol, positionIdx: 2, side: 'Sell', size: '0.4', entryPrice: '60000', leverage: '10', seq: 7 },
  }
  const flat = { side: '', size: '0', entryPrice: '0' }
  const update = (more: object) => readPositions({ creationTime: 6005, data: [{ ...row, ...more }] })
  const position = { symbol, side: 'short', quantity: '-0.4', entryPrice: '60000' }

  test('is reported with its number, its side and its sign', () => {
    expect(update({})).toEqual([
      {
        ...{ position, leverage: '10' },
        account: { at: 6005, step: 7, isWhole: true, wallets: new Map(), positions: [position] },
      },
    ])
  })

  // nautilus_trader #3836, 2026-04: positions without a number, and with "-1", were seen live.
  test.each([{ seq: undefined }, { seq: null }, { seq: '-1' }, { seq: -1 }, { entryPrice: undefined }])(
    'that is open and reported with %j is to be asked for',
    (more) => {
      expect(update(more)).toMatchObject([
        { leverage: '10', account: { at: 6005, isWhole: false, positions: [] } },
      ])
    },
  )

  test('that nobody ever traded is flat, before everything else that is reported it', () => {
    expect(update({ ...flat, seq: '-1' })).toMatchObject([{ account: { step: 0, isWhole: true } }])
    expect(update({ ...flat, seq: undefined })).toMatchObject([{ account: { isWhole: false } }])
  })

  test('is reported though numbers come as texts', () => {
    const texts = { positionIdx: '2', seq: '7', size: 0.4, leverage: 10, entryPrice: 60000 }
    expect(update(texts)).toEqual(update({}))
  })
})

describe('a wallet', () => {
  const update = (coin: object) => ({
    topic: 'wallet',
    creationTime: 6005,
    data: [{ accountType: 'UNIFIED', coin: [coin] }],
  })
  const coin = { coin: 'USDT', equity: '4.93036732', walletBalance: '106.03036732', unrealisedPnl: '-101.1' }

  test('is reported coin by coin, after any event that changed it', () => {
    expect(readWallet(update(coin)).account).toEqual({
      ...{ at: 6005, isWhole: true, positions: [] },
      wallets: new Map([['USDT', '106.03036732']]),
    })
  })

  test('is reported without fields that no decision needs', () => {
    const { equity: _equity, unrealisedPnl: _won, ...bare } = coin
    const message = { creationTime: 6005, data: [{ coin: [bare] }] }
    expect(readWallet(message).coins).toMatchObject([
      { equity: '106.03036732', unrealisedPnl: '0', locked: '0', totalOrderIM: '0', totalPositionIM: '0' },
    ])
    expect(readWallet({ data: message.data }).account).toMatchObject({ isWhole: false })
  })

  test('is reported for the unified account alone', () => {
    const message = update(coin)
    const other = { accountType: 'CONTRACT', coin: [{ ...coin, walletBalance: '7' }] }
    expect(readWallet({ ...message, data: [...message.data, other] })).toEqual(readWallet(message))
  })

  test('is not taken from an answer that is older than the reported one', () => {
    const plain = createPlainCoins()
    const answered = plain.asking()
    plain.note(readWallet(update({ ...coin, equity: '2.5' })).coins)
    answered(readWallet(update(coin)).coins)
    expect(plain.has('USDT')).toBe(false)
    plain.asking()(readWallet(update(coin)).coins)
    expect(plain.has('USDT')).toBe(true)
  })

  test('is known by linear positions where nothing else is part of its value', () => {
    const plain = createPlainCoins()
    expect(plain.has('USDT')).toBe(false)
    plain.note(readWallet(update(coin)).coins)
    expect(plain.has('USDT')).toBe(true)
    plain.note(readWallet(update({ ...coin, equity: '2.5' })).coins)
    expect(plain.has('USDT')).toBe(false)
    plain.note(readWallet(update({ ...coin, coin: 'USDC' })).coins)
    expect(plain.has('USDC')).toBe(false)
  })
})
