import { describe, expect, test } from '@jest/globals'
import { subtract } from '@tripline/proto/decimal'
import { accountReading, btcusdtSpot, commandsOf, marketCommandOf } from '../../../test/btcusdt.ts'
import type { AccountReading } from '../account/account.ts'
import { balanceOf } from '../account/balance.ts'
import type { Size } from './basis.ts'
import { needsReading, sizeOrder } from './sizing.ts'

/** Spot1 of the resolution examples: 1,000 USDT, of which 900 are free, and 0.02 BTC, of which 0.015 are free. */
const held: AccountReading = accountReading({
  holdings: [
    { coin: 'USDT', total: '1000', free: '900' },
    { coin: 'BTC', total: '0.02', free: '0.015' },
  ],
  equity: '2200',
  available: '900',
  position: '0.02',
  entryPrice: null,
})

function brief(size: Size): string {
  if (size.size === 'nothing') return size.code
  if (size.size === 'denied') return size.code
  const amount = size.quoteQuantity
    ? `${subtract(size.quoteQuantity, '0')} USDT`
    : subtract(size.quantity, '0')
  return `${size.side} ${amount}${size.reduceOnly ? ' reduce-only' : ''}`
}

const sizeOf = (text: string, reading = held): string =>
  brief(sizeOrder(marketCommandOf(text), btcusdtSpot, reading))

function balance(asset: string): unknown {
  const [command] = commandsOf(`balance(asset=${asset})`)
  if (command?.type !== 'balance') throw new Error('not a balance command')
  return balanceOf(command, held, btcusdtSpot)
}

describe('on spot', () => {
  test.each([
    ['plain percent of a buy is of the free quote coin', 'market(buy, 100%)', 'buy 900 USDT'],
    ['plain percent of a sale is cut to the free base coin', 'market(sell, 100%)', 'sell 0.015'],
    ['half of what is held, locked or not', 'market(sell, 50%)', 'sell 0.01'],
    ['what is available', 'market(buy, 50%a)', 'buy 450 USDT'],
    ['equity is both coins', 'market(buy, 10%b)', 'buy 220 USDT'],
    ['equity of a sale is at the bid', 'market(sell, 10%b)', 'sell 0.00366'],
    ['a value is what is spent', 'market(buy, 123.45$)', 'buy 123.45 USDT'],
    ['a value of a sale is at the bid', 'market(sell, 600$)', 'sell 0.01'],
    ['the quote coin by name', 'market(buy, 600 USDT)', 'buy 600 USDT'],
    ['base', 'market(buy, 0.000019)', 'buy 0.00001'],
    ['the position, as far as it is free', 'market(sell, 100%p)', 'sell 0.015'],
    ['a target that is above', 'market(position=0.05)', 'buy 0.03'],
    ['a target of nothing sells all that is free, not reduce-only', 'market(position=0)', 'sell 0.015'],
    ['equity that is not free', 'market(buy, 100%b)', 'buy 900 USDT'],
    ['more than everything', 'market(buy, 300%)', 'buy 900 USDT'],
    ['another coin', 'market(sell, 1 ETH)', 'E303'],
    ['too little', 'market(sell, 0.1$)', 'E501'],
  ])('%s: %s', (_name, text, expected) => {
    expect(sizeOf(text)).toBe(expected)
  })

  test.each([
    ['nothing', '0', 'market(sell, 100%)', 'N802'],
    ['nothing', '0', 'market(sell, 50%p)', 'N802'],
    ['less than a step', '0.000003', 'market(sell, 100%)', 'N803'],
    ['less than a step', '0.000003', 'market(sell, 50%)', 'N803'],
    ['less than a step', '0.000003', 'market(sell, 100%p)', 'N803'],
    ['enough, and a share of it that is not', '0.0002', 'market(sell, 1%)', 'E501'],
    ['less than a step, by another measure', '0.000003', 'market(sell, 100%a)', 'E501'],
  ])('a sale that is a share of %s, %s: %s', (_name, position, text, expected) => {
    const holdings = [{ coin: 'BTC', total: position, free: position }]
    expect(sizeOf(text, { ...held, holdings, position })).toBe(expected)
  })

  test.each([
    ['market(buy, 100$)', false],
    ['market(buy, 100 USDT)', false],
    ['market(buy, 0.01)', false],
    ['market(sell, 100$)', true],
    ['market(buy, 10%)', true],
  ])('%s needs the account to be read first: %j', (text, expected) => {
    expect(needsReading(marketCommandOf(text), btcusdtSpot)).toBe(expected)
  })

  test('the text shows an amount to spend without the zeros behind it', () => {
    const size = sizeOrder(marketCommandOf('market(buy, 50%)'), btcusdtSpot, held)
    expect(size).toMatchObject({
      quoteQuantity: '450.00000000',
      sizing: '50% of the USDT available = 450 USDT to spend',
    })
  })

  test('the balance is of the coin asked for, and there is no position', () => {
    expect(balance('BTC')).toMatchObject({
      balance: { coin: 'BTC', total: '0.02', free: '0.015' },
      position: null,
    })
    expect(balance('ETH')).toBeUndefined()
  })
})
