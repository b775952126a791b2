import { describe, expect, test } from '@jest/globals'
import { absolute, isGreater, isNegative, isZero, multiply, subtract } from '@tripline/proto/decimal'
import type { Amount, MarketCommand } from '@tripline/proto/language/tree'
import fc from 'fast-check'
import { accountReading, btcusdt, marketCommandOf } from '../../../test/btcusdt.ts'
import type { AccountReading } from '../account/account.ts'
import { isExit } from '../account/position.ts'
import type { Market } from '../order/market.ts'
import type { Size } from './basis.ts'
import { needsReading, sizeOrder } from './sizing.ts'

const flat = { position: '0', entryPrice: null }
const short = { position: '-0.100' }

function sizeOf(text: string, differing: Partial<AccountReading> = {}, market: Market = btcusdt): Size {
  return sizeOrder(marketCommandOf(text), market, accountReading(differing))
}

/** The size in one line, quantities without trailing zeros. */
function brief(size: Size): string {
  if (size.size === 'nothing') return size.code === 'N802' ? 'nothing' : size.code
  if (size.size === 'denied') return size.code
  return `${size.side} ${subtract(size.quantity, '0')}${size.reduceOnly ? ' reduce-only' : ''}`
}

describe('the resolution examples', () => {
  test.each([
    ['R01', 'market(buy, 50%)', {}, 'buy 0.083'],
    ['R02', 'market(buy, 100%a)', {}, 'buy 0.133'],
    ['R04', 'market(position=0)', {}, 'sell 0.1 reduce-only'],
    ['R05', 'market(position=-0.05)', {}, 'sell 0.15'],
    ['R07', 'market(position=225%)', flat, 'buy 0.375'],
    ['R16', 'market(buy, 50$)', {}, 'E501'],
    ['R19', 'market(sell, 50%p)', flat, 'nothing'],
    ['R23', 'market(buy, 100%)', flat, 'buy 0.166'],
  ])('%s: %s', (_id, text, differing, expected) => {
    expect(brief(sizeOf(text, differing))).toBe(expected)
  })
})

describe('each basis', () => {
  test.each([
    ['base, floored', 'market(buy, 0.0129)', {}, 'buy 0.012'],
    ['base, selling out of a long flips when asked to', 'market(sell, 0.25)', {}, 'sell 0.25'],
    ['the base coin by name', 'market(sell, 0.0129 BTC)', {}, 'sell 0.012'],
    ['a value at the ask', 'market(buy, 600$)', {}, 'buy 0.009'],
    ['a value at the bid', 'market(sell, 600$)', {}, 'sell 0.01'],
    ['the quote coin by name', 'market(buy, 1200 USDT)', {}, 'buy 0.019'],
    ['another coin', 'market(buy, 1 ETH)', {}, 'E303'],
    ['equity', 'market(sell, 50%b)', {}, 'sell 0.083'],
    ['what is available', 'market(sell, 50%a)', {}, 'sell 0.066'],
    ['the position, adding to a long', 'market(buy, 50%p)', {}, 'buy 0.05'],
    ['the position, adding is floored', 'market(buy, 1.5%p)', {}, 'buy 0.001'],
    ['the position, shrinking a long', 'market(sell, 50%p)', {}, 'sell 0.05 reduce-only'],
    ['the position, shrinking is rounded up', 'market(sell, 1.5%p)', {}, 'sell 0.002 reduce-only'],
    ['the position, shrinking a short', 'market(buy, 50%p)', short, 'buy 0.05 reduce-only'],
    ['more than the position', 'market(sell, 150%p)', {}, 'sell 0.1 reduce-only'],
  ])('%s: %s', (_name, text, differing, expected) => {
    expect(brief(sizeOf(text, differing))).toBe(expected)
  })
})

describe('plain percent', () => {
  test.each([
    ['closes a long exactly', 'market(sell, 100%)', {}, 'sell 0.1 reduce-only'],
    ['closes a short exactly', 'market(buy, 100%)', short, 'buy 0.1 reduce-only'],
    ['never flips a long', 'market(sell, 300%)', {}, 'sell 0.1 reduce-only'],
    ['halves a short', 'market(buy, 50%)', short, 'buy 0.05 reduce-only'],
    ['is of equity where the side adds to a long', 'market(buy, 100%)', {}, 'buy 0.166'],
    ['is of equity where the side adds to a short', 'market(sell, 100%)', short, 'sell 0.166'],
    ['is of equity from flat', 'market(sell, 100%)', flat, 'sell 0.166'],
  ])('%s', (_name, text, differing, expected) => {
    expect(brief(sizeOf(text, differing))).toBe(expected)
  })
})

describe('a target position', () => {
  test.each([
    ['is bought up to', 'market(position=0.25)', {}, 'buy 0.15'],
    ['is sold down to', 'market(position=0.04)', {}, 'sell 0.06 reduce-only'],
    ['is bought back from a short', 'market(position=0)', short, 'buy 0.1 reduce-only'],
    ['is flipped to', 'market(position=0.05)', short, 'buy 0.15'],
    ['that is there already is nothing to do', 'market(position=0.1)', {}, 'nothing'],
    ['that is there after rounding is nothing to do', 'market(position=0.1009)', {}, 'nothing'],
    ['of flat when flat is nothing to do', 'market(position=0)', flat, 'nothing'],
    ['is rounded toward flat', 'market(position=-0.0509)', flat, 'sell 0.05'],
    ['may be a share of the position', 'market(position=50%p)', {}, 'sell 0.05 reduce-only'],
    ['may be the position turned round', 'market(position=-100%p)', {}, 'sell 0.2'],
    ['is valued at the mark', 'market(position=600$)', flat, 'buy 0.01'],
    ['may be a value below zero', 'market(position=-600 USDT)', flat, 'sell 0.01'],
    ['may be the base coin by name', 'market(position=0.2 BTC)', {}, 'buy 0.1'],
    ['may be a share of what is available', 'market(position=75%a)', flat, 'buy 0.1'],
    ['in another coin is refused', 'market(position=1 ETH)', {}, 'E303'],
  ])('%s', (_name, text, differing, expected) => {
    expect(brief(sizeOf(text, differing))).toBe(expected)
  })

  test('wins over side and amount', () => {
    expect(brief(sizeOf('market(side=buy, amount=1, position=0)'))).toBe('sell 0.1 reduce-only')
  })
})

describe('a rest below the least order', () => {
  const narrow: Market = { ...btcusdt, minQuantity: '0.010' }

  test.each([
    ['that rounds to zero', { position: '0.0004' }, btcusdt, 'N803'],
    ['of a short', { position: '-0.0004' }, btcusdt, 'N803'],
    ['below the minimum quantity', { position: '0.009' }, narrow, 'N803'],
    ['is an order at the minimum', { position: '0.01' }, narrow, 'sell 0.01 reduce-only'],
  ])('%s is nothing to close', (_name, differing, market, expected) => {
    expect(brief(sizeOf('market(position=0)', differing, market))).toBe(expected)
  })

  test('is denied as the difference to any other target', () => {
    expect(brief(sizeOf('market(position=0.095)', {}, narrow))).toBe('E502')
  })

  test('says how much of it there is', () => {
    expect(sizeOf('market(position=0)', { position: '0.0004' })).toMatchObject({
      note: expect.stringContaining('what is left, 0.0004 BTC, is below the least order'),
    })
  })
})

describe('orders that cannot be placed', () => {
  const narrow: Market = { ...btcusdt, minQuantity: '0.010', maxQuantity: '0.500' }

  test.each([
    ['below the minimum', 'market(buy, 0.009)', 'E502'],
    ['at the minimum', 'market(buy, 0.01)', 'buy 0.01'],
    ['at the maximum', 'market(buy, 0.5)', 'buy 0.5'],
    ['above the maximum', 'market(buy, 0.501)', 'E503'],
    ['rounded to zero', 'market(buy, 0.0009)', 'E501'],
  ])('%s: %s', (_name, text, expected) => {
    expect(brief(sizeOf(text, {}, narrow))).toBe(expected)
  })

  test.each([
    ['market(buy, 0.009)', '0.009 is below the minimum quantity 0.01'],
    ['market(buy, 500)', '500 is above the maximum quantity 0.5'],
  ])('%s says so without zeros at the end', (text, error) => {
    expect(sizeOf(text, {}, narrow)).toMatchObject({ error })
  })

  test.each(['market(buy, 100%)', 'market(buy, 100%a)', 'market(position=100%)'])(
    '%s of an account that is under water',
    (text) => {
      const size = sizeOf(text, { ...flat, equity: '-12.5', available: '0' })
      expect(size.size === 'order' && size.side === 'buy').toBe(false)
    },
  )

  test.each(['market(buy, 600$)', 'market(sell, 50%b)', 'market(position=100%)'])(
    '%s while there is no price',
    (text) => {
      expect(brief(sizeOf(text, { ...flat, bid: '0.0', ask: '0.00000000', mark: '0' }))).toBe('E514')
    },
  )
})

describe('the text of a size', () => {
  test.each([
    ['market(buy, 50%)', '50% of equity = 5000 USDT at 60000.1 = 0.083 BTC'],
    ['market(sell, 50%p)', '50% of the position 0.1 BTC = 0.050 BTC'],
    ['market(position=0)', 'from 0.1 to 0 BTC = sell 0.1'],
  ])('%s', (text, sizing) => {
    expect(sizeOf(text)).toMatchObject({ sizing })
  })

  test('names the size that was too small', () => {
    const size = sizeOf('market(buy, 50$)')
    expect(size).toMatchObject({ error: expect.stringContaining('step 0.001') })
  })
})

describe('the account', () => {
  test.each([
    ['market(buy, 0.01)', false],
    ['market(sell, 0.01 btc)', false],
    ['market(buy, 10$)', true],
    ['market(buy, 10 USDT)', true],
    ['market(buy, 10%)', true],
    ['market(position=0)', true],
    ['market(position=0.1)', true],
  ])('%s needs it: %s', (text, needed) => {
    expect(needsReading(marketCommandOf(text), btcusdt)).toBe(needed)
  })
})

const steps = ['0.001', '0.00001', '0.1', '1', '10', '0.25', '0.005'] as const

/** Decimal text with this many places, with no float anywhere. */
function decimals(whole: number, places: number): fc.Arbitrary<string> {
  const after = fc.integer({ min: 0, max: 10 ** places - 1 })
  return fc
    .tuple(fc.integer({ min: 0, max: whole }), after)
    .map(([before, rest]) => `${before}.${`${rest}`.padStart(places, '0')}`)
}

const somewhere = fc
  .record({
    step: fc.constantFrom(...steps),
    equity: decimals(10_000_000, 8),
    available: decimals(10_000_000, 8),
    heldSteps: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    price: fc.integer({ min: 1, max: 10_000_000 }),
    tick: fc.constantFrom('1', '0.1', '0.01', '0.00001'),
  })
  .map(({ step, equity, available, heldSteps, price, tick }) => ({
    market: {
      ...btcusdt,
      quantityStep: step,
      minQuantity: step,
      maxQuantity: '1000000000000000000000',
    } satisfies Market,
    account: accountReading({
      equity,
      available,
      position: multiply(step, `${heldSteps}`),
      bid: multiply(`${price}`, tick),
      mark: multiply(`${price + 1}`, tick),
      ask: multiply(`${price + 2}`, tick),
    }),
  }))

const bases = ['base', 'percent', 'percentEquity', 'percentAvailable', 'percentPosition', 'quote'] as const
const amounts: fc.Arbitrary<Amount> = fc
  .record({ basis: fc.constantFrom(...bases), value: decimals(5000, 6) })
  .filter(({ value }) => !isZero(value))
const targets: fc.Arbitrary<Amount> = fc
  .record({ basis: fc.constantFrom(...bases), value: decimals(5000, 6), isShort: fc.boolean() })
  .map(({ basis, value, isShort }) => ({ basis, value: isShort && !isZero(value) ? `-${value}` : value }))

const located = { type: 'market', span: { offset: 0, length: 0 }, valueSpans: {} } as const
const ordered: fc.Arbitrary<MarketCommand> = fc
  .record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    amount: amounts,
    reduceOnly: fc.boolean(),
  })
  .map((written) => ({ ...located, ...written }))
const targeted: fc.Arbitrary<MarketCommand> = targets.map((position) => ({ ...located, position }))
const commands = fc.oneof(ordered, targeted)

interface Fraction {
  over: bigint
  under: bigint
}

/** The exact value of decimal text, in whole numbers only. */
function exact(text: string): Fraction {
  const [whole = '', places = ''] = text.split('.')
  return { over: BigInt(whole + places), under: 10n ** BigInt(places.length) }
}

/** Returns the whole steps in worth / price, in whole numbers only. */
function stepsIn(worth: Fraction, price: string, step: string): bigint {
  const [atPrice, inSteps] = [exact(price), exact(step)]
  return (worth.over * atPrice.under * inSteps.under) / (worth.under * atPrice.over * inSteps.over)
}

function shareOf(whole: string, percent: string): Fraction {
  const [all, share] = [exact(whole), exact(percent)]
  return { over: all.over * share.over, under: all.under * share.under * 100n }
}

const manyRuns = { numRuns: 1000 }

describe('with any command and any account', () => {
  test('a quantity is a positive multiple of the step, as plain decimal text', () => {
    fc.assert(
      fc.property(commands, somewhere, (command, { market, account }) => {
        const size = sizeOrder(command, market, account)
        if (size.size !== 'order') return
        expect(size.quantity).toMatch(/^\d+(\.\d+)?$/)
        const [quantity, step] = [exact(size.quantity), exact(market.quantityStep)]
        expect((quantity.over * step.under) % (quantity.under * step.over)).toBe(0n)
        expect(quantity.over > 0n).toBe(true)
      }),
      manyRuns,
    )
  })

  test('an entry by value is the most that the value buys, to the step', () => {
    const worths = { percentEquity: 'equity', percentAvailable: 'available', quote: undefined } as const
    fc.assert(
      fc.property(ordered, somewhere, (command, { market, account }) => {
        const { side, amount } = command
        if (amount === undefined || !(amount.basis in worths)) return
        const of = worths[amount.basis as keyof typeof worths]
        const worth = of === undefined ? exact(amount.value) : shareOf(account[of] ?? '0', amount.value)
        const price = side === 'buy' ? account.ask : account.bid
        const fitting = stepsIn(worth, price, market.quantityStep)
        const size = sizeOrder(command, market, account)
        if (size.size === 'order') {
          expect(subtract(size.quantity, '0')).toBe(multiply(market.quantityStep, `${fitting}`))
        } else {
          expect({ ...size, fitting }).toMatchObject({ size: 'denied', code: 'E501', fitting: 0n })
        }
      }),
      manyRuns,
    )
  })

  test('an entry never exceeds the written size', () => {
    fc.assert(
      fc.property(ordered, somewhere, (command, { market, account }) => {
        const size = sizeOrder(command, market, account)
        if (size.size !== 'order' || command.amount?.basis !== 'base') return
        expect(isGreater(size.quantity, command.amount.value)).toBe(false)
      }),
      manyRuns,
    )
  })

  test('an order that we mark reduce-only never exceeds the position', () => {
    fc.assert(
      fc.property(commands, somewhere, (command, { market, account }) => {
        const size = sizeOrder(command, market, account)
        if (size.size !== 'order' || !size.reduceOnly || command.reduceOnly === true) return
        expect(isExit(size.side, size.quantity, account.position)).toBe(true)
      }),
      manyRuns,
    )
  })

  test('plain percent never turns a position round', () => {
    fc.assert(
      fc.property(ordered, somewhere, (command, { market, account }) => {
        if (command.amount?.basis !== 'percent' || isZero(account.position)) return
        const after = positionAfter(sizeOrder(command, market, account), account.position)
        expect(isZero(after) || isNegative(after) === isNegative(account.position)).toBe(true)
      }),
      manyRuns,
    )
  })

  test('all of a position by percent leaves nothing of it', () => {
    fc.assert(
      fc.property(somewhere, fc.constantFrom('percent', 'percentPosition'), ({ market, account }, basis) => {
        if (isZero(account.position)) return
        const side = isNegative(account.position) ? 'buy' : 'sell'
        const size = sizeOrder({ ...located, side, amount: { basis, value: '100' } }, market, account)
        expect(positionAfter(size, account.position)).toBe('0')
      }),
      manyRuns,
    )
  })

  test('a target is reached to the step, and never overshot', () => {
    fc.assert(
      fc.property(targeted, somewhere, (command, { market, account }) => {
        const size = sizeOrder(command, market, account)
        if (size.size === 'denied' || command.position?.basis !== 'base') return
        const off = subtract(command.position.value, positionAfter(size, account.position))
        expect(isGreater(market.quantityStep, absolute(off))).toBe(true)
        expect(isZero(off) || isNegative(off) === isNegative(command.position.value)).toBe(true)
      }),
      manyRuns,
    )
  })

  test('the same target twice has nothing to do the second time', () => {
    fc.assert(
      fc.property(targeted, somewhere, (command, { market, account }) => {
        const size = sizeOrder(command, market, account)
        if (size.size === 'denied' || command.position?.basis === 'percentPosition') return
        const position = positionAfter(size, account.position)
        expect(sizeOrder(command, market, { ...account, position }).size).toBe('nothing')
      }),
      manyRuns,
    )
  })

  test('an amount of base coin comes to the same whatever the account holds', () => {
    fc.assert(
      fc.property(ordered, somewhere, (command, { market, account }) => {
        if (needsReading(command, market)) return
        expect(sizeOrder(command, market, account)).toEqual(sizeOrder(command, market, undefined))
      }),
      manyRuns,
    )
  })
})

function positionAfter(size: Size, position: string): string {
  if (size.size !== 'order') return position
  return subtract(position, size.side === 'buy' ? `-${size.quantity}` : size.quantity)
}
