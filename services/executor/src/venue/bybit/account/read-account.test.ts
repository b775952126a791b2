import { describe, expect, test } from '@jest/globals'
import { readMoney, readQuote, readSettings, readSpotAccount, readTicker } from './read-account.ts'

const rows = (...list: object[]) => ({ result: { list } })

describe('a ticker', () => {
  const ticker = { bid1Price: '99', ask1Price: '101', lastPrice: '100', markPrice: '100.5' }
  const read = (more: object) => readTicker(rows({ ...ticker, ...more }))

  test('reports the price of the market', () => {
    expect(read({})).toMatchObject({ bid: '99', ask: '101', mark: '100.5' })
    expect(read({ bid1Price: 99, markPrice: undefined })).toMatchObject({ bid: '99', mark: '100' })
  })

  // Tickers of Bybit's testnet, 2023: an empty side is "" for some symbols, and "0" for others.
  test.each(['', '0', undefined])('of a book with %j for a side has the last price there', (empty) => {
    expect(read({ bid1Price: empty })).toMatchObject({ bid: '100', ask: '101' })
    expect(read({ ask1Price: empty })).toMatchObject({ bid: '99', ask: '100' })
    expect(read({ bid1Price: empty, ask1Price: empty })).toMatchObject({ bid: '100', ask: '100' })
  })

  test('of a book with an empty side never has a bid above its ask', () => {
    expect(read({ bid1Price: '', lastPrice: '150' })).toMatchObject({ bid: '101', ask: '101' })
    expect(read({ ask1Price: '', lastPrice: '50' })).toMatchObject({ bid: '99', ask: '99' })
    expect(readQuote('spot', rows({ bid1Price: '63', lastPrice: '' }))).toEqual({ bid: '63', ask: '63' })
  })

  test('without any price is none', () => {
    expect(() => readTicker(rows({ lastPrice: '' }))).toThrow()
  })
})

describe('a wallet', () => {
  const usdt = { coin: 'USDT', walletBalance: '90', unrealisedPnl: '-2' }

  test('is read without fields that no decision needs', () => {
    expect(readMoney(rows({ coin: [usdt] }), 'USDT')).toEqual({
      ...{ coin: 'USDT', equity: '88', available: '90' },
      holdings: [{ coin: 'USDT', total: '90', free: '90' }],
    })
  })

  test('with margin that is used leaves the rest', () => {
    const used = { ...usdt, equity: '88', locked: '1', totalOrderIM: '', totalPositionIM: '4' }
    expect(readMoney(rows({ totalAvailableBalance: '', coin: [used] }), 'USDT').available).toBe('85')
    expect(readMoney(rows({ totalAvailableBalance: '70', coin: [used] }), 'USDT').available).toBe('70')
  })

  test('of spot is worth the bids for its coins', () => {
    const answers = [rows({ coin: [usdt, { coin: 'BTC', walletBalance: '2' }] }), rows({ lastPrice: '100' })]
    expect(readSpotAccount({ base: 'BTC', quote: 'USDT' }, answers)).toMatchObject({
      ...{ position: '2', equity: '290', bid: '100', ask: '100', mark: '100' },
    })
  })
})

test('settings are read where portfolio margin has no leverage', () => {
  const position = { symbol: 'BTCUSDT', positionIdx: 0, side: '', size: '0', leverage: '' }
  expect(readSettings(rows(position), { result: { marginMode: 'PORTFOLIO_MARGIN' } })).toEqual({
    ...{ leverage: '1', marginMode: 'cross', positionMode: 'oneWay' },
  })
})

test('an open position without an entry price is unreadable', () => {
  const position = { symbol: 'BTCUSDT', positionIdx: '1', side: 'Buy', size: '1' }
  const info = { result: {} }
  expect(() => readSettings(rows(position), info)).toThrow()
  expect(readSettings(rows({ ...position, avgPrice: '60000' }), info).positionMode).toBe('hedge')
})
