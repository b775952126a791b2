import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { add, isZero, multiply, subtract } from '@tripline/proto/decimal'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import type { AccountReading } from '../../src/domain/account/account.ts'
import { newId, openTrader, planOf, refOf, type Trader } from './binance-rig.ts'
import { readingsOf } from './readings.ts'

const symbol = 'BTCUSDT'
const at = (price: string) => ({ bid: price, ask: price, last: price })

let paper: TestPaper
let trader: Trader
beforeAll(async () => {
  paper = await paperExchange()
})
beforeEach(async () => {
  await paper.pinPrices(symbol, at('60000'))
  trader = await openTrader(paper, 'spot', { hasRoom: true })
})
afterEach(async () => {
  await paper.clearFaults()
  await trader.close()
})
afterAll(async () => await paper.stop())

const { read, timesAsked, known, position } = readingsOf(
  () => ({ venue: trader.venue, asked: trader.asked() }),
  ['/api/v3/account'],
)

interface Holding {
  total: string
  free: string
}

function heldIn({ holdings }: AccountReading, coin: string): Holding {
  const { total = '0', free = '0' } = holdings.find((holding) => holding.coin === coin) ?? {}
  return { total, free }
}

const isZeroBetween = (one: string, other: string): boolean => isZero(subtract(one, other))

/** Returns the amounts that differ between two readings, of both coins and of their worth. */
function differences(one: AccountReading, other: AccountReading): string[] {
  const amounts = (reading: AccountReading): string[] => [
    ...['BTC', 'USDT'].flatMap((coin) => Object.values(heldIn(reading, coin))),
    reading.equity ?? '',
    reading.available ?? '',
    reading.position,
    reading.bid,
    reading.ask,
    reading.mark,
  ]
  const others = amounts(other)
  return amounts(one).filter((amount, index) => !isZeroBetween(amount, others[index] ?? ''))
}

/** Settles once a reading shows what is known: what others did shows there a moment later. */
async function agreed(): Promise<void> {
  await waitFor(async () => differences(await known('equity'), await read()).length === 0)
}

describe('a spot account that was read once', () => {
  test('is known from then on as if it was asked: both coins, their free amounts, and their value', async () => {
    await trader.placed({ quantity: '0.05000' })
    await trader.placed({ type: 'limit', side: 'sell', quantity: '0.30000', price: '61000' })
    await read('equity')
    await paper.pinPrices(symbol, at('60500'))
    const viewed = await waitFor(async () => {
      const view = await known('equity')
      return differences(view, await read()).length === 0 && view
    })
    expect(viewed).toMatchObject({ entryPrice: null, settings: null, coin: 'USDT' })
  })

  test('is never older than our last order, whether it was asked for or not', async () => {
    await known('equity')
    let left = '100000'
    for (let order = 1; order <= 30; order++) {
      const side = order % 3 === 0 ? 'sell' : 'buy'
      const { filled, averagePrice } = await trader.placed({ side, quantity: '0.01000' })
      const cost = multiply(filled, averagePrice ?? '')
      left = add(left, multiply(cost, side === 'buy' ? '-1' : '0.999'))
      const { total, free } = heldIn(await read('position'), 'USDT')
      expect([total, free]).toEqual([left, left])
    }
    await agreed()
  })

  test('is of no known size while a stream that fell silent owes an order', async () => {
    await known('equity')
    await waitFor(() => trader.venue.positionNow?.(symbol) === '1')
    await paper.addFault({ match: {}, action: 'silent-stream' })
    await trader.placed({ quantity: '0.05000' })
    expect(trader.venue.positionNow?.(symbol)).toBeUndefined()
  })

  test('lists its open orders as its last order and cancel left them', async () => {
    const listed = async (): Promise<number> => {
      const open = await trader.venue.openOrders(symbol)
      return open.outcome === 'read' ? open.orders.length : -1
    }
    for (let turn = 1; turn <= 5; turn++) {
      const plan = { clientOrderId: newId(), type: 'limit', price: '59000' } as const
      await trader.placed(plan)
      expect(await listed()).toBe(1)
      await trader.venue.cancel(refOf(plan))
      expect(await listed()).toBe(0)
    }
  })

  test('knows the amounts that our resting orders lock, and those that are free again once they are canceled', async () => {
    await known('equity')
    for (let turn = 1; turn <= 10; turn++) {
      const plan = { clientOrderId: newId(), type: 'limit', side: 'sell', quantity: '0.40000' } as const
      await trader.placed({ ...plan, price: '65000' })
      expect(heldIn(await read('position'), 'BTC').free).toBe('0.6')
      await trader.venue.cancel(refOf(plan))
      expect(heldIn(await read('position'), 'BTC').free).toBe('1')
    }
    await agreed()
  })

  test('knows the amount that a pair of orders locks', async () => {
    await known('equity')
    const leg = { side: 'sell', quantity: '0.50000' } as const
    const pair = [
      planOf({ ...leg, type: 'limit', price: '65000' }),
      planOf({ ...leg, type: 'stop', triggerPrice: '55000' }),
    ] as const
    const placements = await trader.venue.placeOco?.(pair, () => undefined)
    expect(placements?.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
    expect(heldIn(await read('position'), 'BTC').free).toBe('0.5')
    await agreed()
    await paper.pinPrices(symbol, at('54000'))
    await position('0.5')
    await agreed()
  })

  test('is never older than an order of another client of the same account', async () => {
    const other = await trader.another('same')
    await known('equity')
    for (let sold = '0.01'; sold !== '0.11'; sold = add(sold, '0.01')) {
      await other.placed({ side: 'sell', quantity: '0.01000' })
      await other.placed({ side: 'sell', type: 'limit', quantity: '0.01000', price: '65000' })
      const { total, free } = heldIn(await read('position'), 'BTC')
      const rest = subtract('1', sold)
      expect([total, free]).toEqual([rest, subtract(rest, sold)])
    }
  })

  test('shows trades by hand, and locked amounts', async () => {
    const hand = await trader.another('own')
    await known('equity')
    await hand.placed({ side: 'sell', quantity: '0.02000' })
    await hand.placed({ side: 'sell', type: 'limit', quantity: '0.08000', price: '65000' })
    await waitFor(async () => isZeroBetween(heldIn(await read('position'), 'BTC').free, '0.9'))
    await agreed()
  })

  test('shows deposits and withdrawals', async () => {
    await known('equity')
    const balances = { USDT: '500', BTC: '0.25', ETH: '3' }
    await fetch(`${paper.url}/control/accounts/${trader.apiKey}/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ balances }),
    })
    await position('0.25')
    const viewed = await known('equity')
    expect(differences(viewed, await read())).toEqual([])
    expect(heldIn(viewed, 'ETH').total).toBe('3')
  })

  test('is read where all its coins are asked for', async () => {
    await known('equity')
    const before = timesAsked()
    await read('all')
    expect(timesAsked()).toBeGreaterThan(before)
  })
})

describe('a spot account is read again', () => {
  test.each([
    ['fills', { side: 'sell', quantity: '0.02000' }, '0.98'],
    ['locks', { side: 'sell', type: 'limit', quantity: '0.03000', price: '65000' }, '0.97'],
  ] as const)(
    'where its stream looks alive and does not report that our order %s',
    async (_name, order, free) => {
      await known('equity')
      await paper.addFault({ match: { apiKey: trader.apiKey }, action: 'silent-stream' })
      await trader.placed(order)
      const before = timesAsked()
      expect(isZeroBetween(heldIn(await read('position'), 'BTC').free, free)).toBe(true)
      expect(timesAsked()).toBeGreaterThan(before)
    },
  )

  test('where its stream was cut', async () => {
    const hand = await trader.another('own')
    await known('equity')
    const before = timesAsked()
    await paper.addFault({ match: { apiKey: trader.apiKey }, action: 'disconnect', count: 1 })
    await waitFor(() => timesAsked() > before)
    await hand.placed({ side: 'sell', quantity: '0.02000' })
    await position('0.98')
    await agreed()
  })

  test('where a new client of it begins', async () => {
    await trader.placed({ side: 'sell', quantity: '0.02000' })
    await known('equity')
    const other = await trader.another('own')
    const reading = await other.venue.read(symbol, { scope: 'position' })
    if (reading.outcome !== 'read') throw new Error(JSON.stringify(reading))
    expect(reading.account.position).toBe('0.98')
    expect(other.asked().some((path) => path.includes('/api/v3/account'))).toBe(true)
  })
})

test('a price is reported, and asked for only where it is not', async () => {
  await known('equity')
  const asked = (): number => trader.asked().filter((path) => path.includes('/ticker/bookTicker')).length
  await paper.pinPrices(symbol, at('60001'))
  await waitFor(async () => {
    const before = asked()
    const { bid } = await read('position')
    return asked() === before && bid === '60001'
  })
})

test('the reference price of a market is reported, by which its band is', async () => {
  await known('equity')
  await waitFor(async () => (await read('position')).bandPrice === '60000')
  await paper.pinPrices(symbol, at('61000'))
  await waitFor(async () => (await read('position')).bandPrice === '61000')
  expect(await trader.venue.read('ETHUSDT')).toMatchObject({ account: { bandPrice: null } })
})

describe('the reference price of a market that nobody follows', () => {
  const askedOf = (path: string): number => trader.asked().filter((asked) => asked.includes(path)).length
  const judged = async () => await trader.venue.read(symbol, { isBandPriceAsked: true })

  test('is asked for where orders are judged by it, and by nobody else', async () => {
    expect(await trader.venue.read(symbol)).toMatchObject({ account: { bandPrice: null } })
    expect(askedOf('/api/v3/referencePrice')).toBe(0)
    expect(await judged()).toMatchObject({ account: { bandPrice: '60000' } })
    expect(askedOf('/api/v3/referencePrice')).toBe(1)
    expect(askedOf('/api/v3/avgPrice')).toBe(0)
  })

  test('is not asked for while its stream sends it', async () => {
    await known('equity')
    await waitFor(async () => (await read('position')).bandPrice === '60000')
    expect(await judged()).toMatchObject({ account: { bandPrice: '60000' } })
    expect(askedOf('/api/v3/referencePrice')).toBe(0)
  })

  test('is the average of its trades where it never had one', async () => {
    const match = { path: '/api/v3/referencePrice' }
    await paper.addFault({ match, action: 'reject', code: -2043, message: 'no reference price' })
    expect(await judged()).toMatchObject({ account: { bandPrice: '60000' } })
    expect(askedOf('/api/v3/avgPrice')).toBe(1)
  })

  test('has to be known where it is asked for', async () => {
    for (const path of ['/api/v3/referencePrice', '/api/v3/avgPrice'])
      await paper.addFault({ match: { path }, action: 'drop' })
    expect(await judged()).toMatchObject({ outcome: 'unreachable' })
  })
})

test('a spot account is known of no more once its client has ended', async () => {
  await known('equity')
  await trader.close()
  trader = await openTrader(paper, 'spot', { hasRoom: true })
  expect((await read('position')).position).toBe('1')
})
