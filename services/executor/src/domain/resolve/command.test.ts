import { describe, expect, test } from '@jest/globals'
import { subtract } from '@tripline/proto/decimal'
import fc from 'fast-check'
import {
  accountReading,
  btcusdt,
  btcusdtSpot,
  commandsOf,
  entryOn,
  flat,
  oneAtATime,
  spotHoldings,
} from '../../../test/btcusdt.ts'
import type { AccountReading } from '../account/account.ts'
import type { LastEntry } from '../account/last-entry.ts'
import type { Market } from '../order/market.ts'
import { type OrderCommand, resolveCommand } from './command.ts'
import type { ResolvedOrder } from './resolution.ts'

const short: Partial<AccountReading> = { position: '-0.100' }
const hedged: Partial<AccountReading> = {
  hedged: {
    long: { quantity: '0.200', entryPrice: '58000', unrealizedPnl: '400' },
    short: { quantity: '-0.050', entryPrice: '61000', unrealizedPnl: '50' },
  },
}

/** One order in one line: type, side, size, prices, and what is special about it. */
function brief(order: ResolvedOrder): string {
  const size = order.quoteQuantity === undefined ? order.quantity : `${order.quoteQuantity}$`
  return [
    order.type === 'market' ? undefined : order.type,
    order.side,
    size.endsWith('$') ? `${subtract(size.slice(0, -1), '0')}$` : subtract(size, '0'),
    order.triggerPrice && `when ${order.trigger} ${order.triggerPrice}`,
    order.price && `at ${order.price}`,
    order.timeInForce === 'postOnly' ? 'post-only' : undefined,
    order.positionSide === 'both' ? undefined : order.positionSide,
    order.reduceOnly ? 'reduce-only' : undefined,
    ...order.warnings.map(({ code }) => code),
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

function resolved(text: string, differing: Partial<AccountReading> = {}, market: Market = btcusdt): string[] {
  const kind = market.kind === 'spot' ? 'spot' : 'futures'
  const commands = commandsOf(text, kind)
  const command = commands.at(-1) as OrderCommand
  const before = commands.slice(0, -1)
  const resolution = resolveCommand(command, market, accountReading(differing), { before })
  if (resolution.outcome === 'orders') return resolution.orders.map(brief)
  return [resolution.code === 'N802' ? 'nothing' : resolution.code]
}

describe('the resolution examples', () => {
  test.each([
    ['R01', 'market(buy, 50%)', {}, ['buy 0.083']],
    ['R02', 'market(buy, 100%a)', {}, ['buy 0.133']],
    ['R04', 'market(position=0)', {}, ['sell 0.1 reduce-only']],
    ['R05', 'market(position=-0.05)', {}, ['sell 0.15']],
    ['R07', 'market(position=225%)', flat, ['buy 0.375']],
    ['R08', 'limit(buy, 0.01, offset=1%)', {}, ['limit buy 0.01 at 59399.9']],
    ['R10', 'limit(sell, 100%p, e1%)', {}, ['limit sell 0.1 at 59590.0 reduce-only W703']],
    ['R10, post-only', 'limit(sell, 100%p, e1%, postOnly=true)', {}, ['E509']],
    ['R11', 'limit(sell, 100%p, e3%)', {}, ['limit sell 0.1 at 60770.0 reduce-only']],
    ['R13', 'stop(sell, 100%p, e1%)', {}, ['stop sell 0.1 when mark 58410.0 reduce-only']],
    ['R14', 'stop(sell, 100%p, 61000)', {}, ['E507']],
    ['R16', 'market(buy, 50$)', {}, ['E501']],
    ['R17', 'limit(buy, 0.001, 59000)', {}, ['E504']],
    ['R19', 'market(sell, 50%p)', flat, ['nothing']],
    ['R19, in oco', 'oco { stop(sell, 50%p, 58000); limit(sell, 50%p, 62000) }', flat, ['E505']],
    ['R20', 'limit(buy, 1, e1%)', flat, ['E512']],
    ['R22', 'limit(buy, 0.01, offset=58000)', {}, ['E508']],
    [
      'R23, the legs',
      'oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }',
      { position: '0.166' },
      ['stop sell 0.166 when mark 58000.0 reduce-only', 'limit sell 0.166 at 62000.0 reduce-only'],
    ],
  ])('%s: %s', (_id, text, differing, expected) => {
    expect(resolved(text, differing)).toEqual(expected)
  })

  test.each([
    ['R25', 'market(buy, 100%)', ['buy 1000$']],
    ['R26', 'market(sell, 50%)', ['sell 0.01']],
    ['a pair', 'oco { stop(sell, 100%, 58000); limit(sell, 100%, 59000) }', ['E511']],
    ['a pair', 'oco { stop(buy, 100%, 62000); limit(buy, 100%, 61000) }', ['E511']],
  ])('%s, on spot: %s', (_id, text, expected) => {
    expect(resolved(text, spotHoldings, btcusdtSpot)).toEqual(expected)
  })

  test('R22 asks whether a price was meant', () => {
    const [command] = commandsOf('limit(buy, 0.01, offset=58000)')
    expect(resolveCommand(command as OrderCommand, btcusdt, accountReading())).toMatchObject({
      error: expect.stringContaining('did you mean @58000?'),
    })
  })
})

describe('the most that a market takes', () => {
  const lotOf = (maxQuantity: string) => ({ quantityStep: '0.001', minQuantity: '0.001', maxQuantity })
  const market = { ...btcusdt, ...lotOf('1'), limitLot: lotOf('100') }

  test.each([
    ['market(buy, 2)', ['E503']],
    ['limit(buy, 2, 59000)', ['limit buy 2 at 59000.0']],
    ['limit(position=3, price=59000)', ['limit buy 2.9 at 59000.0']],
    ['limit(buy, 101, 59000)', ['E503']],
    ['stop(buy, 2, 61000)', ['E503']],
    ['stop(buy, 2, 61000, limitPrice=61100)', ['stopLimit buy 2 when mark 61000.0 at 61100.0']],
  ])('is that of the kind of order: %s', (text, expected) => {
    expect(resolved(text, {}, market)).toEqual(expected)
  })
})

describe('prices', () => {
  test.each([
    ['absolute', 'limit(buy, 0.01, 59000)', ['limit buy 0.01 at 59000.0']],
    [
      'absolute, off the tick, a buy is rounded down',
      'limit(buy, 0.01, 59000.17)',
      ['limit buy 0.01 at 59000.1'],
    ],
    ['a sale is rounded up', 'limit(sell, 0.01, 61000.11)', ['limit sell 0.01 at 61000.2']],
    ['a trigger goes to the nearest tick', 'stop(buy, 0.01, 61000.16)', ['stop buy 0.01 when mark 61000.2']],
    ['in the chart’s direction', 'limit(sell, 0.01, +1%)', ['limit sell 0.01 at 60600.2']],
    ['below the market', 'limit(buy, 0.01, -100)', ['limit buy 0.01 at 59899.9']],
    ['unsigned percent is away from the market', 'limit(sell, 0.01, 1%)', ['limit sell 0.01 at 60600.2']],
    ['an offset of a sale', 'limit(sell, 0.01, offset=100)', ['limit sell 0.01 at 60100.1']],
    ['a stop that buys lies above', 'stop(buy, 0.01, offset=1%)', ['stop buy 0.01 when mark 60600.1']],
    [
      'a stop may lock a profit in',
      'stop(sell, 100%p, e-0.5%)',
      ['stop sell 0.1 when mark 59295.0 reduce-only'],
    ],
    [
      'a stop-limit by offset',
      'stop(sell, 0.1, 58000, limitOffset=0.1%)',
      ['stopLimit sell 0.1 when mark 58000.0 at 57942.0 reduce-only'],
    ],
    [
      'a stop-limit by price',
      'stop(buy, 0.1, 62000, limitPrice=62100, trigger=last)',
      ['stopLimit buy 0.1 when last 62000.0 at 62100.0'],
    ],
    ['post-only', 'limit(buy, 0.01, 59000, postOnly=true)', ['limit buy 0.01 at 59000.0 post-only']],
    ['far above the band', 'limit(buy, 0.01, 64000)', ['E508']],
    ['far below the band', 'limit(sell, 0.01, 55000)', ['E508']],
    ['a bare number that was meant as a distance', 'limit(buy, 1, 100)', ['limit buy 1 at 100.0 W707']],
    [
      'a sale that waits far above',
      'limit(sell, 100%p, 95000)',
      ['limit sell 0.1 at 95000.0 reduce-only W707'],
    ],
    ['a buy that waits far below', 'limit(buy, 0.01, 25000)', ['limit buy 0.01 at 25000.0 W707']],
    ['a percentage far below', 'limit(buy, 0.01, -60%)', ['limit buy 0.01 at 23999.9 W707']],
    ['a percentage away, far above', 'limit(sell, 0.01, 60%)', ['limit sell 0.01 at 96000.2 W707']],
    ['a buy far above, which would trade at once', 'limit(buy, 0.01, 95000)', ['E508']],
    ['a sale far below, which would trade at once', 'limit(sell, 100%p, 500)', ['E508']],
    ['below zero', 'limit(buy, 0.01, -70000)', ['E508']],
    ['a stop far above that buys', 'stop(buy, 0.01, 95000)', ['stop buy 0.01 when mark 95000.0 W707']],
    ['a stop far below that would buy at once', 'stop(buy, 0.01, 500)', ['E508']],
    [
      'a limit far from its trigger that would trade at once then',
      'stop(sell, 100%p, 58000, limitPrice=500)',
      ['E508'],
    ],
    [
      'a limit far from its trigger that would wait then',
      'stop(buy, 0.01, 62000, limitPrice=25000)',
      ['stopLimit buy 0.01 when mark 62000.0 at 25000.0 W707'],
    ],
    [
      'a limit that is far from the market and near to its trigger',
      'stop(buy, 0.01, 95000, limitPrice=95100)',
      ['stopLimit buy 0.01 when mark 95000.0 at 95100.0 W707'],
    ],
    ['a profit that is reached, ten times off', 'sltp(amount=100%p, tp=500)', ['E508']],
    ['a stop that would buy at once', 'stop(buy, 0.01, 59000)', ['E507']],
  ])('%s: %s', (_name, text, expected) => {
    expect(resolved(text)).toEqual(expected)
  })

  const band = { highest: '1.2', lowest: '0.8', lowestBuy: '0.9', highestSale: '1.1' }
  test.each([
    ['a buy above the band', 'limit(buy, 0.001, 59000)', '49000', ['E508']],
    ['a buy below its near end', 'limit(buy, 0.001, 53000)', '60000', ['E508']],
    ['a buy at its near end', 'limit(buy, 0.001, 53000)', '58000', ['limit buy 0.001 at 53000.0']],
    ['a sale below the band', 'limit(sell, 0.001, 61000)', '77000', ['E508']],
    ['a sale above its near end', 'limit(sell, 0.001, 67000)', '60000', ['E508']],
    ['a sale at its near end', 'limit(sell, 0.001, 67000)', '61000', ['limit sell 0.001 at 67000.0']],
    [
      'any price where only the venue knows it',
      'limit(buy, 0.001, 50000)',
      null,
      ['limit buy 0.001 at 50000.0'],
    ],
  ])('on spot the reference price counts: %s', (_name, text, bandPrice, expected) => {
    const market = { ...btcusdtSpot, priceBand: band }
    expect(resolved(text, { ...spotHoldings, bandPrice }, market)).toEqual(expected)
  })

  test.each([
    ['too little by it', '0.0001', '49000', {}, ['E504']],
    ['enough by it', '0.00008', '63000', {}, ['buy 0.00008']],
    [
      'enough by it, were the least not that of others',
      '0.0001',
      '49000',
      { minMarketNotional: '0' },
      ['buy 0.0001'],
    ],
    ['too little by the book, where only the venue knows it', '0.00008', null, {}, ['buy 0.00008']],
    ['too little by the book, where there is none', '0.00008', undefined, {}, ['E504']],
  ])('on spot a market order is valued at the reference price: %s', (...[, size, price, least, expected]) => {
    const reading = { ...spotHoldings, ...(price !== undefined && { bandPrice: price }) }
    expect(resolved(`market(buy, ${size})`, reading, { ...btcusdtSpot, ...least })).toEqual(expected)
  })

  const without: Market = { ...btcusdt, priceBand: undefined }
  test.each([
    ['its band', btcusdt, 'limit(buy, 0.01, 95000)', '95000.0 is above 63000, the highest a buy may be'],
    ['the market', without, 'limit(buy, 0.01, 95000)', 'more than 50% from the market at 59999.9'],
  ])('that are refused name the limit that is exceeded: %s', (_name, market, text, error) => {
    const [command] = commandsOf(text)
    expect(resolveCommand(command as OrderCommand, market, accountReading())).toMatchObject({
      code: 'E508',
      error: expect.stringContaining(error),
    })
  })

  test.each([
    ['a stop at the entry', 'stop(sell, 100%p, e0%)', ['stop sell 0.1 when mark 20000.0 reduce-only']],
    [
      'a stop at the price of the entry',
      'stop(sell, 100%p, 20000)',
      ['stop sell 0.1 when mark 20000.0 reduce-only'],
    ],
    [
      'a stop-limit there',
      'stop(sell, 100%p, 20000, limitPrice=19900)',
      ['stopLimit sell 0.1 when mark 20000.0 at 19900.0 reduce-only'],
    ],
    [
      'both ends of a protection',
      'stopOrTakeProfit(amount=100%p, sl=20000, tp=95000)',
      ['stop sell 0.1 when mark 20000.0 reduce-only', 'takeProfit sell 0.1 when mark 95000.0 reduce-only'],
    ],
    ['a limit far above the entry', 'limit(sell, 100%p, e400%)', ['limit sell 0.1 at 100000.0 reduce-only']],
    [
      'a distance in place of a price',
      'stop(sell, 100%p, 500)',
      ['stop sell 0.1 when mark 500.0 reduce-only W707'],
    ],
    ['a distance from the market', 'stop(sell, 100%p, offset=40000)', ['E508']],
    ['a distance of more than the entry', 'stop(sell, 100%p, e100%)', ['E508']],
    ['an entry by a stop', 'stop(buy, 0.01, 95000)', ['stop buy 0.01 when mark 95000.0 W707']],
  ])('of a position whose market has tripled: %s', (_name, text, expected) => {
    expect(resolved(text, { entryPrice: '20000' })).toEqual(expected)
  })

  test('are none where the book is empty', () => {
    expect(resolved('limit(buy, 0.01, offset=1%)', { bid: '0' })).toEqual(['E514'])
  })
})

describe('closing a rest', () => {
  const rest = (total: string, free = total): Partial<AccountReading> => ({
    ...spotHoldings,
    holdings: [{ coin: 'BTC', total, free }],
    position: total,
  })

  test.each([
    ['reduces whatever it is worth', 'market(position=0)', { position: '0.001' }, ['sell 0.001 reduce-only']],
    ['by a limit, too', 'limit(position=0, price=61000)', { position: '0.0005' }, ['N803']],
  ])('on futures %s', (_name, text, differing, expected) => {
    expect(resolved(text, differing)).toEqual(expected)
  })

  test.each([
    ['of less than a step', 'market(position=0)', rest('0.000004'), ['N803']],
    ['worth less than the least order', 'market(position=0)', rest('0.00008'), ['N803']],
    ['worth the least order', 'market(position=0)', rest('0.00009'), ['sell 0.00009']],
    ['by a limit', 'limit(position=0, price=61000)', rest('0.00008'), ['N803']],
    ['of which the most is locked', 'market(position=0)', rest('0.02', '0.00001'), ['E504']],
    ['that is a rest of something else', 'market(position=0.01994)', rest('0.02'), ['E504']],
  ])('on spot, %s', (_name, text, differing, expected) => {
    expect(resolved(text, differing, btcusdtSpot)).toEqual(expected)
  })
})

describe('a protection', () => {
  const both = 'sltp(sell, 100%p, sl=e1%, tp=e4%)'

  test.each([
    [
      'of a long',
      'sltp(amount=100%p, sl=e1%, tp=e4%)',
      {},
      ['stop sell 0.1 when mark 58410.0 reduce-only', 'takeProfit sell 0.1 when mark 61360.0 reduce-only'],
    ],
    [
      'of a short',
      'sltp(amount=100%p, sl=e3%, tp=e2%)',
      short,
      ['stop buy 0.1 when mark 60770.0 reduce-only', 'takeProfit buy 0.1 when mark 57820.0 reduce-only'],
    ],
    [
      'with limits',
      'sltp(sell, 50%p, sl=58000, tp=62000, slLimitOffset=10, tpType=limit, trigger=last)',
      {},
      [
        'stopLimit sell 0.05 when last 58000.0 at 57990.0 reduce-only',
        'takeProfitLimit sell 0.05 when last 62000.0 at 62000.0 reduce-only',
      ],
    ],
    ['of nothing', both, flat, ['E512']],
    ['of nothing, by prices', 'sltp(amount=100%p, sl=58000)', flat, ['E505']],
    ['on the wrong side', 'sltp(amount=100%p, sl=61000)', {}, ['E507']],
    ['that takes profit at once', 'sltp(amount=100%p, tp=59000)', {}, ['sell 0.1 reduce-only']],
    ['of a short that takes profit at once', 'sltp(amount=50%p, tp=61000)', short, ['buy 0.05 reduce-only']],
    ['that opens alone, at a price that is reached', 'sltp(buy, 0.1, tp=61000, ro=no)', {}, ['E507']],
    [
      'whose profit is reached already',
      'sltp(amount=100%p, sl=58000, tp=59000)',
      {},
      ['stop sell 0.1 when mark 58000.0 reduce-only', 'sell 0.1 reduce-only'],
    ],
    [
      'whose profit is reached already, by a limit',
      'sltp(amount=100%p, sl=58000, tp=59000, tpType=limit)',
      {},
      ['stop sell 0.1 when mark 58000.0 reduce-only', 'limit sell 0.1 at 59000.0 reduce-only'],
    ],
    [
      'whose profit is reached already, by a limit that is outside the band',
      'sltp(amount=100%p, sl=50000, tp=51000, tpType=limit)',
      {},
      ['E508'],
    ],
    [
      'whose profit is reached already and outside the band, at any price',
      'sltp(amount=100%p, tp=51000)',
      {},
      ['sell 0.1 reduce-only'],
    ],
    ['that opens, at a price that is reached', 'sltp(buy, 0.1, sl=62000, tp=61000, ro=no)', {}, ['E507']],
  ])('%s: %s', (_name, text, differing, expected) => {
    expect(resolved(text, differing)).toEqual(expected)
  })

  test('of coins whose profit is reached already sells them, since a stop would lock them', () => {
    for (const text of ['sltp(sell, 0.02, sl=58000, tp=59000)', 'sltp(sell, 0.02, tp=59000)'])
      expect(resolved(text, spotHoldings, btcusdtSpot)).toEqual(['sell 0.02'])
  })
})

describe('a leg', () => {
  test.each([
    [
      'against the position only shrinks it',
      'oco { limit(sell, 0.02, 62000); stop(sell, 0.02, 58000) }',
      {},
      ['limit sell 0.02 at 62000.0 reduce-only', 'stop sell 0.02 when mark 58000.0 reduce-only'],
    ],
    [
      'with a target that turns the position only shrinks it',
      'oco { limit(position=-0.1, price=62000); stop(position=-0.1, price=58000) }',
      {},
      ['limit sell 0.2 at 62000.0 reduce-only W705', 'stop sell 0.2 when mark 58000.0 reduce-only W705'],
    ],
    [
      'turns the position where that is written',
      'oco { limit(sell, 0.2, 62000, ro=no); stop(sell, 0.2, 58000, ro=no) }',
      {},
      ['limit sell 0.2 at 62000.0', 'stop sell 0.2 when mark 58000.0'],
    ],
    [
      'of the side of the position adds to it',
      'oco { limit(buy, 0.02, 59000); stop(buy, 0.02, 61000) }',
      {},
      ['limit buy 0.02 at 59000.0', 'stop buy 0.02 when mark 61000.0'],
    ],
    [
      'opens where nothing is held',
      'oco { limit(buy, 0.02, 59000); stop(sell, 0.02, 58000) }',
      flat,
      ['limit buy 0.02 at 59000.0', 'stop sell 0.02 when mark 58000.0'],
    ],
  ])('%s: %s', (_name, text, differing, expected) => {
    expect(resolved(text, differing)).toEqual(expected)
  })

  const side = fc.constantFrom('buy', 'sell')
  const size = fc.constantFrom('0.02', '0.3', '50%', '100%p', '1000$')
  const given = fc.record({ side, size, isStop: fc.boolean(), reduceOnly: fc.constantFrom('', ', ro=yes') })
  const legs = fc.array(given, { minLength: 2, maxLength: 5 })

  test('never opens or turns a position that it stands against, whatever is written', () => {
    fc.assert(
      fc.property(legs, fc.constantFrom('0.1', '-0.1', '0.005'), (written, position) => {
        const text = written.map(({ side, size, isStop, reduceOnly }) => {
          const isAbove = (side === 'buy') === isStop
          return `${isStop ? 'stop' : 'limit'}(${side}, ${size}, ${isAbove ? '61000' : '59000'}${reduceOnly})`
        })
        const [command] = commandsOf(`oco { ${text.join('; ')} }`)
        const resolution = resolveCommand(command as OrderCommand, btcusdt, accountReading({ position }))
        if (resolution.outcome !== 'orders') return
        const against = resolution.orders.filter(
          (order) => (order.side === 'sell') === !position.startsWith('-'),
        )
        expect(against.every(({ reduceOnly }) => reduceOnly)).toBe(true)
      }),
    )
  })
})

describe('hedge mode', () => {
  test.each([
    ['needs the side', 'market(buy, 0.01)', ['E405']],
    ['opens on the long side', 'market(buy, 0.01, positionSide=long)', ['buy 0.01 long']],
    ['closes the long side', 'market(sell, 100%, positionSide=long)', ['sell 0.2 long reduce-only']],
    ['closes the short side', 'market(position=0, positionSide=short)', ['buy 0.05 short reduce-only']],
    [
      'protects the long side from its own entry',
      'stop(sell, 100%p, e1%, positionSide=long)',
      ['stop sell 0.2 when mark 57420.0 long reduce-only'],
    ],
    ['has no short on the long side', 'market(position=-0.1, positionSide=long)', ['E405']],
  ])('%s: %s', (_name, text, expected) => {
    expect(resolved(text, hedged)).toEqual(expected)
  })

  test('refuses an order that waits for a trigger on a side that is empty, unless its entry may not show yet', () => {
    const none = { quantity: '0', entryPrice: null, unrealizedPnl: '0' }
    const empty = { hedged: { long: none, short: none } }
    const stop = 'stop(sell, 0.1, 58000, positionSide=long)'
    expect(resolved(stop, empty)).toEqual(['E510'])
    expect(resolved('sltp(sell, 0.1, tp=62000, positionSide=long)', empty)).toEqual(['E510'])
    const placed = ['stop sell 0.1 when mark 58000.0 long']
    const young = entryOn('buy', { isFresh: true })
    expect(resolved(stop, { ...empty, lastEntries: { long: young } })).toEqual(placed)
    expect(resolved(stop, { ...empty, lastEntries: { long: { ...young, rests: true } } })).toEqual(['E510'])
    expect(resolved('stop(buy, 0.1, 62000, positionSide=long)', empty)).toEqual([
      'stop buy 0.1 when mark 62000.0 long',
    ])
  })

  test('is refused where the account is in one-way mode', () => {
    expect(resolved('market(buy, 0.01, positionSide=long)')).toEqual(['E405'])
  })
})

describe('sizes', () => {
  test.each([
    [
      'a limit order is divided by its own price',
      'limit(buy, 1000$, 50000)',
      {},
      ['limit buy 0.02 at 50000.0'],
    ],
    ['a stop by its trigger', 'stop(buy, 1000$, 62500)', {}, ['stop buy 0.016 when mark 62500.0']],
    ['the part that rounding takes is reported', 'market(buy, 0.0109)', {}, ['buy 0.01 W704']],
    ['reduce-only where nothing can be reduced', 'market(buy, 0.01, reduceOnly=true)', {}, ['E510']],
    ['more than the position', 'market(sell, 150%p)', {}, ['sell 0.1 reduce-only W705']],
    ['more than the position, plainly', 'market(sell, 300%)', {}, ['sell 0.1 reduce-only W705']],
    ['more than the position, by amount', 'market(sell, 0.2, ro=true)', {}, ['sell 0.2 reduce-only W705']],
    [
      'more, of equity',
      'limit(sell, 100%b, 61000, ro=true)',
      {},
      ['limit sell 0.163 at 61000.0 reduce-only W705'],
    ],
    ['more, by value', 'stop(sell, 11600$, 58000)', {}, ['stop sell 0.2 when mark 58000.0 reduce-only W705']],
    ['more, and may turn it', 'stop(sell, 0.2, 58000, ro=false)', {}, ['stop sell 0.2 when mark 58000.0']],
    [
      'legs of more than the position',
      'oco { stop(sell, 0.2, 58000); limit(sell, 100%b, 61000) }',
      {},
      ['stop sell 0.2 when mark 58000.0 reduce-only W705', 'limit sell 0.163 at 61000.0 reduce-only W705'],
    ],
    [
      'protection of more than the position',
      'sltp(sell, 0.2, sl=58000)',
      {},
      ['stop sell 0.2 when mark 58000.0 reduce-only W705'],
    ],
    ['all of the position', 'market(sell, 100%)', {}, ['sell 0.1 reduce-only']],
    ['all of it by amount', 'market(sell, 0.1, ro=true)', {}, ['sell 0.1 reduce-only']],
    ['a crumb may be closed', 'market(sell, 1%p)', {}, ['sell 0.001 reduce-only']],
    ['a target by limit', 'limit(position=0, price=61000)', {}, ['limit sell 0.1 at 61000.0 reduce-only']],
    ['a target that is reached', 'limit(position=0.1, price=61000)', {}, ['nothing']],
  ])('%s: %s', (_name, text, differing, expected) => {
    const market = { ...btcusdt, priceBand: undefined }
    expect(resolved(text, differing, market)).toEqual(expected)
  })

  test('on spot a priced buy is divided by its own price', () => {
    expect(resolved('limit(buy, 100%, 50000)', spotHoldings, btcusdtSpot)).toEqual([
      'limit buy 0.02 at 50000.0',
    ])
    expect(resolved('stop(sell, 100%, 58000)', spotHoldings, btcusdtSpot)).toEqual([
      'stop sell 0.02 when last 58000.0',
    ])
  })

  test.each([
    ['market(buy, 150%)', ['buy 1000$ W705']],
    ['market(buy, 100%b)', ['buy 1000$ W705']],
    ['limit(buy, 100%b, 50000)', ['limit buy 0.02 at 50000.0 W705']],
    ['market(sell, 100%b)', ['sell 0.02 W705']],
    ['market(buy, 1500$)', ['buy 1500$']],
  ])('on spot %s takes no more by percent than is free', (text, expected) => {
    expect(resolved(text, spotHoldings, btcusdtSpot)).toEqual(expected)
  })
})

describe('a plain percent against the last entry', () => {
  const stopped = entryOn('buy', { closed: { how: 'its stop at 58000', at: 0 } })
  const after = (entry: LastEntry, differing: Partial<AccountReading> = flat): Partial<AccountReading> => ({
    ...differing,
    lastEntries: { both: entry },
  })
  const group = 'oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }'

  test.each([
    'market(sell, 100%)',
    'market(sell, 10%, reduceOnly=true)',
    'limit(sell, 100%, 62000)',
    'limit(sell, 100%, 30000)',
    'stop(sell, 100%, 58000)',
    'stop(sell, 100%, 61000)',
    'sltp(sell, 100%, 58000, 62000)',
    'sltp(amount=100%, sl=58000, tp=62000)',
    group,
  ])('closes nothing where the position is gone: %s', (text) => {
    expect(resolved(text, after(stopped))).toEqual(['N804'])
    expect(resolved(text, after(stopped, short))).toEqual(['N804'])
    expect(resolved(text, after(entryOn('buy')))).toEqual(['N804'])
  })

  test.each(['stop(sell, 100%, 58000)', 'sltp(sell, 100%, 58000, 62000)', group])(
    'is refused where it protects a position that may only not show yet: %s',
    (text) => {
      expect(resolved(text, after(entryOn('buy', { isFresh: true })))).toEqual(['E505'])
      expect(resolved(text, after({ ...stopped, isFresh: true }))).toEqual(['N804'])
      expect(resolved(text, after(entryOn('buy', { rests: true })))).toEqual(['E505'])
    },
  )

  test.each([
    ['closes what is there', 'market(sell, 100%)', after(stopped, {}), ['sell 0.1 reduce-only']],
    ['leaves the other bases alone', 'market(sell, 100%b)', after(stopped), ['sell 0.166']],
    ['leaves a target alone', 'market(position=-100%)', after(stopped), ['sell 0.166']],
    ['leaves what adds alone', 'market(buy, 100%)', after(stopped), ['buy 0.166']],
    ['leaves a quantity alone', 'market(sell, 0.01)', after(stopped), ['sell 0.01']],
    ['opens where no entry is known', 'market(sell, 100%)', flat, ['sell 0.166']],
  ])('%s: %s', (_name, text, differing, expected) => {
    expect(resolved(text, differing)).toEqual(expected)
  })

  test.each([
    [stopped, flat, 'nothing to close: the long of BTCUSDT was closed by its stop at 58000'],
    [
      entryOn('buy'),
      short,
      'nothing to close: the long of BTCUSDT was closed elsewhere, by hand or by the exchange; the short there is left alone',
    ],
    [
      entryOn('buy', { rests: true }),
      flat,
      'nothing to close yet: the buy of BTCUSDT that came last still waits at the exchange',
    ],
  ])('says why there is nothing: %#', (entry, differing, note) => {
    const [command] = commandsOf('market(sell, 100%)')
    const reading = accountReading(after(entry, differing))
    expect(resolveCommand(command as OrderCommand, btcusdt, reading)).toMatchObject({ note })
  })

  test('is counted by the side of the position in hedge mode', () => {
    const none = { quantity: '0', entryPrice: null, unrealizedPnl: '0' }
    const onShort = { hedged: { long: none, short: none }, lastEntries: { short: entryOn('sell') } }
    expect(resolved('market(buy, 100%, positionSide=short)', onShort)).toEqual(['N804'])
    expect(resolved('market(sell, 100%, positionSide=long)', onShort)).toEqual(['N804'])
    expect(resolved('stop(sell, 100%, 58000, positionSide=long)', onShort)).toEqual(['E505'])
    expect(resolved('market(buy, 100%, positionSide=long)', onShort)).toEqual(['buy 0.166 long'])
  })

  test('is of the coin that is spent on spot, whatever came before', () => {
    const held = { ...spotHoldings, lastEntries: { both: entryOn('buy') } }
    expect(resolved('market(sell, 100%)', held, btcusdtSpot)).toEqual(['sell 0.02'])
  })
})

test('of coins that are worth less than the least order there is nothing to close, by any share', () => {
  const holding = (total: string) => ({ holdings: [{ coin: 'BTC', total, free: total }], position: total })
  for (const share of ['50%', '100%', '50%p'])
    expect(resolved(`market(sell, ${share})`, holding('0.00005'), btcusdtSpot)).toEqual(['N803'])
  expect(resolved('market(sell, 50%)', holding('0.0001'), btcusdtSpot)).toEqual(['E504'])
})

describe('the amount of a stop for which the exchange locks nothing', () => {
  test.each([
    ['makes a limit smaller', 'limit(sell, 100%, 62000)', ['limit sell 0.01 at 62000.0']],
    ['makes a share of all smaller', 'limit(sell, 100%p, 62000)', ['limit sell 0.01 at 62000.0 W705']],
    ['makes another stop smaller', 'stop(sell, 50%, 58000)', ['stop sell 0.005 when last 58000.0']],
    ['is not available', 'market(sell, 100%a)', ['sell 0.01']],
    ['is held, and a sale takes the stop back', 'market(sell, 100%)', ['sell 0.02']],
    ['is of no concern to a written amount', 'limit(sell, 0.02, 62000)', ['limit sell 0.02 at 62000.0']],
    ['is of no concern to a buy', 'limit(buy, 50%, 50000)', ['limit buy 0.01 at 50000.0']],
  ])('%s: %s', (_name, text, expected) => {
    expect(resolved(text, { ...spotHoldings, reserved: '0.01' }, oneAtATime)).toEqual(expected)
  })

  test('leaves nothing where it is all', () => {
    const all = { ...spotHoldings, reserved: '0.02' }
    expect(resolved('limit(sell, 100%, 62000)', all, oneAtATime)).toEqual(['E501'])
    expect(resolved('limit(sell, 100%p, 62000)', all, oneAtATime)).toEqual(['E506'])
  })
})

describe('protection behind an order of its block', () => {
  const group = 'oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }'
  const opened = ['stop sell 0.172 when mark 58000.0', 'limit sell 0.161 at 62000.0']
  const onShort = { lastEntries: { both: entryOn('sell') } }

  test.each([
    [`market(buy, 100%); ${group}`, flat],
    [`market(buy, 0.1); ${group}`, { ...flat, ...onShort }],
    [`market(buy, 0.05); ${group}`, { ...short, ...onShort }],
    [`limit(buy, 0.1, 59000); wait(1m); cancel; ${group}`, flat],
    ['market(buy, 100%); stop(sell, 100%, 58000)', flat],
    ['market(buy, 100%); sltp(sell, 100%, 58000, 62000)', flat],
    ['market(buy, 100%); limit(sell, 50%, 62000); stop(sell, 50%, 58000)', flat],
  ])('places nothing where that opened nothing: %s', (text, differing) => {
    expect(resolved(text, differing)).toEqual(['N804'])
  })

  test.each([
    ['where the block closes with a target', `market(position=0); ${group}`, flat, opened],
    ['where the block says that it closes', `market(buy, 100%p); ${group}`, flat, opened],
    ['where the order says that it only reduces', `market(buy, 100%, ro=true); ${group}`, flat, opened],
    ['behind an order of the same side', `market(sell, 100%); ${group}`, flat, opened],
    [
      'where a limit opens again',
      'market(sell, 100%); limit(buy, 100%, 55000)',
      flat,
      ['limit buy 0.181 at 55000.0'],
    ],
    ['where a market order turns', 'market(sell, 100%); market(buy, 100%)', flat, ['buy 0.166']],
    [
      'with a quantity',
      'market(buy, 100%); stop(sell, 0.1, 58000)',
      flat,
      ['stop sell 0.1 when mark 58000.0'],
    ],
  ])('opens %s: %s', (_name, text, differing, expected) => {
    expect(resolved(text, differing)).toEqual(expected)
  })

  test.each([
    ['market(buy, 10%); wait(3s); market(sell, 100%)', ['N804']],
    ['market(buy, 0.1); wait(3s); limit(sell, 100%, 62000)', ['N804']],
    ['wait(3s); market(sell, 100%)', ['sell 0.166']],
    ['market(position=0); wait(3s); market(sell, 100%)', ['sell 0.166']],
    ['market(buy, 10%); wait(3s); market(sell, 100%b)', ['sell 0.166']],
  ])('is its exit too where a later message has turned the position: %s', (text, expected) => {
    const turned = { ...short, lastEntries: { both: entryOn('sell', { isLater: true }) } }
    expect(resolved(text, turned)).toEqual(expected)
    expect(resolved(text, { ...short, ...onShort })).toEqual([expect.stringMatching(/^(limit )?sell/)])
  })

  test('says which order opened nothing', () => {
    const [entry, exit] = commandsOf(`market(buy, 100%); ${group}`)
    const context = { before: [entry as OrderCommand] }
    expect(resolveCommand(exit as OrderCommand, btcusdt, accountReading(flat), context)).toMatchObject({
      note: 'nothing to close: the buy before it opened no long of BTCUSDT',
    })
  })
})
