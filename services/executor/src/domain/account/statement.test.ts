import { describe, expect, test } from '@jest/globals'
import type { Market } from '../order/market.ts'
import type { VenueOrder } from '../order/order.ts'
import { protectsNothing, spotStatement } from './statement.ts'

const order = (more: Partial<VenueOrder>): VenueOrder => ({
  venueOrderId: '1',
  clientOrderId: 'a',
  side: 'sell',
  type: 'stop',
  status: 'untriggered',
  quantity: '0.01',
  filled: '0',
  averagePrice: null,
  price: null,
  triggerPrice: '58000',
  isConditional: true,
  reduceOnly: true,
  fee: null,
  updatedAt: null,
  ...more,
})
const at = (symbol: string, more: Partial<VenueOrder> = {}) => ({ symbol, order: order(more) })
const long = { symbol: 'BTCUSDT', quantity: '0.01' }
const short = { symbol: 'BTCUSDT', quantity: '-0.01' }

describe('an order protects nothing', () => {
  test.each([
    ['a sale that reduces a long', at('BTCUSDT'), [long], false],
    ['a sale that would reduce a short', at('BTCUSDT'), [short], true],
    ['a purchase that reduces a short', at('BTCUSDT', { side: 'buy' }), [short], false],
    ['one without any position', at('BTCUSDT'), [], true],
    ['one whose position is in another symbol', at('ETHUSDT'), [long], true],
    ['one beside both sides of hedge mode', at('BTCUSDT'), [short, long], false],
    ['an entry', at('BTCUSDT', { reduceOnly: false }), [], false],
  ])('on futures: %s: %#', (_name, stated, positions, expected) => {
    expect(protectsNothing(stated, positions, 'linear')).toBe(expected)
  })

  test.each([
    ['a stop that sells what is held', at('BTCUSDT', { reduceOnly: false }), [long], false],
    ['a stop that sells what is not held', at('BTCUSDT', { reduceOnly: false }), [], true],
    ['a stop that buys', at('BTCUSDT', { reduceOnly: false, side: 'buy' }), [], false],
    ['a limit', at('BTCUSDT', { reduceOnly: false, isConditional: false, type: 'limit' }), [], false],
  ])('on spot: %s', (_name, stated, positions, expected) => {
    expect(protectsNothing(stated, positions, 'spot')).toBe(expected)
  })
})

describe('the statement of a spot account', () => {
  const market = (symbol: string): Market | undefined =>
    ['BTCUSDT', 'BTCUSDC', 'DOGEUSDT'].includes(symbol)
      ? ({ symbol, base: symbol.slice(0, -4), quote: symbol.slice(-4), minQuantity: '0.001' } as Market)
      : undefined
  const prices = new Map([
    ['BTCUSDT', '60000'],
    ['DOGEUSDT', '0.1'],
  ])
  const statement = (symbols: string[]) =>
    spotStatement({
      holdings: [
        { coin: 'USDT', total: '1000', free: '900' },
        { coin: 'BTC', total: '0.5', free: '0.4' },
        { coin: 'DOGE', total: '0.0001', free: '0.0001' },
        { coin: 'XYZ', total: '7', free: '7' },
        { coin: 'ETH', total: '0', free: '0' },
      ],
      orders: symbols.map((symbol) => ({ ...at(symbol), createdAt: null })),
      priceOf: (symbol) => prices.get(symbol),
      market,
    })

  test('counts coins with a price, and shows as positions those that can be sold', () => {
    expect(statement([])).toMatchObject({
      equity: '31000.00001',
      available: '900',
      holdings: [{ coin: 'USDT' }, { coin: 'BTC' }, { coin: 'DOGE' }, { coin: 'XYZ' }],
      positions: [{ symbol: 'BTCUSDT', quantity: '0.5', markPrice: '60000', entryPrice: null }],
    })
  })

  test('shows a coin in the other market of an open order too, at no price where none is known', () => {
    expect(statement(['BTCUSDC']).positions).toMatchObject([
      { symbol: 'BTCUSDT' },
      { symbol: 'BTCUSDC', markPrice: null },
    ])
  })
})
