import { describe, expect, test } from '@jest/globals'
import type { ClientOrderId } from '@tripline/proto/id'
import type { Exchange } from 'ccxt'
import type { OrderPlan } from '../../domain/order/order.ts'
import { readOrder, readPosition } from '../ccxt/library-form.ts'
import { okxDialect } from './dialect.ts'

const linear = okxDialect('linear')
const spot = okxDialect('spot')

// In the form of "Order details" and "Algo order details" of OKX's v5 documentation, 2026-06.
const row = {
  ...{
    accFillSz: '1.5',
    algoClOrdId: '',
    algoId: '',
    avgPx: '51858.123456789012345',
    cTime: '1708587373361',
  },
  ...{ cancelSource: '', clOrdId: 't01ARZ3NDEKTSV4RRFFQ69G5FAV00000', fee: '-0.19283400001', feeCcy: 'USDT' },
  ...{
    instId: 'BTC-USDT-SWAP',
    instType: 'SWAP',
    ordId: '680800019749904384',
    ordType: 'limit',
    px: '51858.2',
  },
  ...{
    reduceOnly: 'false',
    side: 'buy',
    state: 'partially_filled',
    sz: '2',
    tag: '0ABC',
    tgtCcy: '',
    uTime: '1708587373362',
  },
}
const algo = {
  ...{
    algoClOrdId: row.clOrdId,
    algoId: '1753184812254216192',
    cTime: '1724751378980',
    clOrdId: '',
    failCode: '0',
  },
  ...{
    instId: 'BTC-USDT-SWAP',
    instType: 'SWAP',
    ordId: '',
    ordType: 'conditional',
    reduceOnly: 'true',
    side: 'sell',
  },
  ...{
    slOrdPx: '-1',
    slTriggerPx: '58000',
    slTriggerPxType: 'mark',
    state: 'live',
    sz: '2',
    tag: '',
    tpOrdPx: '',
  },
  ...{ tpTriggerPx: '', uTime: '1724751378980' },
}

const libraries = {
  linear: await linear.openLibrary({ number: String }),
  spot: await spot.openLibrary({ number: String }),
}
const market = {
  ctType: 'linear',
  ctVal: '0.01',
  instId: 'BTC-USDT-SWAP',
  instType: 'SWAP',
  lotSz: '0.01',
  minSz: '0.01',
}
const rest = { settleCcy: 'USDT', state: 'live', tickSz: '0.1', uly: 'BTC-USDT', lever: '100' }
libraries.linear.setMarkets(libraries.linear.parseMarkets([{ ...market, ...rest }]))
const coins = {
  baseCcy: 'BTC',
  quoteCcy: 'USDT',
  instId: 'BTC-USDT',
  instType: 'SPOT',
  lotSz: '0.00000001',
  minSz: '0.00001',
}
libraries.spot.setMarkets(libraries.spot.parseMarkets([{ ...coins, state: 'live', tickSz: '0.1' }]))

const read = (differing: object, of: object = row, library: Exchange = libraries.linear, dialect = linear) =>
  readOrder(library.parseOrder({ ...of, ...differing }), dialect, dialect.kind === 'spot' ? '1' : '0.01')

describe('an order', () => {
  test('is read in coins, each digit of it, under the name that its tag completes', () => {
    expect(read({})).toMatchObject({
      symbol: 'BTCUSDT',
      createdAt: 1708587373361,
      order: {
        ...{ venueOrderId: '680800019749904384', clientOrderId: 't01ARZ3NDEKTSV4RRFFQ69G5FAV000000ABC' },
        ...{ quantity: '0.02', filled: '0.015', averagePrice: '51858.123456789012345', price: '51858.2' },
        ...{ status: 'partially_filled', type: 'limit', fee: { amount: '0.19283400001', coin: 'USDT' } },
      },
    })
  })

  test.each([
    [{ state: 'live', accFillSz: '0' }, { status: 'open' }],
    [{ state: 'filled', accFillSz: '2' }, { status: 'filled' }],
    [{ state: 'canceled', cancelSource: '1' }, { status: 'canceled' }],
    [{ state: 'canceled', ordType: 'ioc' }, { status: 'expired' }],
    [{ state: 'canceled', accFillSz: '0', ordType: 'post_only', cancelSource: '31' }, { status: 'rejected' }],
    [{ tag: 'someoneelse' }, { clientOrderId: row.clOrdId }],
    [
      { clOrdId: '', algoClOrdId: 'x', algoId: '7' },
      { clientOrderId: 'x', isConditional: true, venueOrderId: row.ordId },
    ],
    [{ state: 'mmp_canceled' }, { status: 'canceled' }],
    [{ state: 'something new' }, { status: 'partially_filled' }],
    [{ fee: '0.5' }, { fee: { amount: '-0.5', coin: 'USDT' } }],
    [{ ordId: '99999999999999999999' }, { venueOrderId: '99999999999999999999' }],
  ])('%j is read as %j', (differing, expected) => expect(read(differing).order).toMatchObject(expected))

  test('by value has the quantity that it bought', () => {
    const byValue = {
      instId: 'BTC-USDT',
      instType: 'SPOT',
      ordType: 'market',
      sz: '100',
      tgtCcy: 'quote_ccy',
    }
    const { order } = read(
      { ...byValue, accFillSz: '0.00192834', state: 'filled' },
      row,
      libraries.spot,
      spot,
    )
    expect(order).toMatchObject({ quantity: '0.00192834', filled: '0.00192834', price: null })
  })

  test('that waits is read by its leg', () => {
    expect(read({}, algo).order).toMatchObject({
      ...{
        venueOrderId: algo.algoId,
        type: 'stop',
        triggerPrice: '58000',
        price: null,
        status: 'untriggered',
      },
      ...{ quantity: '0.02', reduceOnly: true, isConditional: true },
    })
    const profit = { slTriggerPx: '', slOrdPx: '', tpTriggerPx: '62000', tpOrdPx: '61990' }
    expect(read(profit, algo).order).toMatchObject({
      type: 'takeProfitLimit',
      price: '61990',
      triggerPrice: '62000',
    })
    expect(read({ ordType: 'oco' }, algo).order.type).toBe('other')
    expect(read({ state: 'effective', ordId: '7' }, algo).became).toBe('7')
    expect(read({ state: 'effective', ordIdList: ['6', '7'] }, algo).became).toBe('7')
    expect(read({ tgtCcy: 'quote_ccy' }, algo).order.quantity).toBe('0')
    expect(read({ state: 'order_failed' }, algo).order.status).toBe('rejected')
  })
})

test('the leverage has its decimals, and is none where there is no row', () => {
  expect(linear.leverageIn([{ lever: '2.50', mgnMode: 'cross' }])).toBe('2.5')
  for (const rows of [[], [{ lever: '' }], undefined]) expect(() => linear.leverageIn(rows)).toThrow()
})

test('a full list goes on behind its oldest order, by the id that its kind has', () => {
  const rows = (row: object) => [row, ...Array.from({ length: 99 }, () => ({ accFillSz: '0', ordId: '9' }))]
  expect(linear.nextPage(rows({ accFillSz: '0', ordId: '5', algoId: '4' }))).toEqual({ after: '5' })
  expect(linear.nextPage(rows({ ordId: '', algoId: '4' }))).toEqual({ after: '4' })
  expect(linear.nextPage(rows({}).slice(1))).toBeUndefined()
})

test('a short position is below zero', () => {
  const position = libraries.linear.parsePosition({
    ...{
      instId: 'BTC-USDT-SWAP',
      instType: 'SWAP',
      pos: '-2.5',
      posSide: 'net',
      avgPx: '60000.1',
      upl: '-1.25',
    },
    ...{
      markPx: '60010',
      liqPx: '',
      imr: '12',
      mgnMode: 'isolated',
      lever: '10',
      mmr: '1',
      uTime: '1724742632153',
    },
  })
  expect(readPosition(position)).toMatchObject({
    ...{
      symbol: 'BTCUSDT',
      quantity: '-0.025',
      entryPrice: '60000.1',
      unrealizedPnl: '-1.25',
      liquidationPrice: null,
    },
    ...{ marginMode: 'isolated', changedAt: 1724742632153 },
  })
})

const plan: OrderPlan = {
  clientOrderId: 't01ARZ3NDEKTSV4RRFFQ69G5FAV000000ABC' as ClientOrderId,
  ...{ symbol: 'BTCUSDT', type: 'market', side: 'buy', quantity: '0.02', reduceOnly: false },
  ...{ positionSide: 'both', sizing: '' },
}

describe('the request for', () => {
  test.each([
    [
      'a market order',
      linear,
      {},
      { call: 'order', tdMode: 'cross', ordType: 'market', sz: '2', tag: '0ABC' },
    ],
    ['one on spot', spot, {}, { tdMode: 'cash', tgtCcy: 'base_ccy', banAmend: true }],
    ['one by value', spot, { quoteQuantity: '100' }, { sz: '100', tgtCcy: 'quote_ccy' }],
    [
      'a limit',
      linear,
      { type: 'limit', price: '59000', reduceOnly: true },
      { ordType: 'limit', px: '59000', reduceOnly: true },
    ],
    [
      'a post-only limit',
      spot,
      { type: 'limit', price: '1', timeInForce: 'postOnly' },
      { ordType: 'post_only' },
    ],
    [
      'a stop',
      linear,
      { type: 'stop', triggerPrice: '58000' },
      {
        call: 'order-algo',
        ordType: 'conditional',
        slTriggerPx: '58000',
        slTriggerPxType: 'mark',
        slOrdPx: '-1',
      },
    ],
    [
      'a take profit with a limit',
      spot,
      { type: 'takeProfitLimit', triggerPrice: '62000', price: '61990' },
      { tpTriggerPx: '62000', tpTriggerPxType: 'last', tpOrdPx: '61990' },
    ],
  ] as const)('%s', (_name, dialect, differing, expected) => {
    const { path, params } = dialect.placing({ ...plan, ...differing }, 'BTC-USDT', '2')
    expect(path).toBe('trade/{call}')
    expect(params).toMatchObject({ instId: 'BTC-USDT', ...expected })
  })

  test('a conditional sale on spot is in coins without saying so', () => {
    const of = (side: 'buy' | 'sell') =>
      spot.placing({ ...plan, type: 'stop', triggerPrice: '1', side }, 'BTC-USDT', '2').params
    expect(of('buy')).toHaveProperty('tgtCcy', 'base_ccy')
    expect(of('sell')).not.toHaveProperty('tgtCcy')
  })

  test('an order has a name of 32 characters', () => {
    for (const type of ['market', 'stop'] as const) {
      const { params } = linear.placing({ ...plan, type, triggerPrice: '1' }, 'BTC-USDT-SWAP', '2')
      expect(JSON.stringify(params)).toContain('"t01ARZ3NDEKTSV4RRFFQ69G5FAV00000"')
    }
  })
})

test('demo trading is a header, and a plain order has a deadline', () => {
  expect(linear.headersOf('/api/v5/account/balance', 'mainnet', 0)).toEqual({})
  expect(linear.headersOf('/api/v5/account/balance', 'testnet', 0)).toEqual({ 'x-simulated-trading': '1' })
  expect(linear.headersOf('/api/v5/trade/order', 'mainnet', 1000)).toEqual({ expTime: '4000' })
  expect(linear.headersOf('/api/v5/trade/order-algo', 'mainnet', 1000)).toEqual({})
})

describe('a refusal', () => {
  const failed = (sCode: string, sMsg = '') => ({
    code: '1',
    msg: 'All operations failed',
    data: [{ sCode, sMsg }],
  })

  const meanings = ['leavesOpen', 'saysThere', 'isAbsent', 'blamesClock', 'isBusy'] as const

  test.each([
    [200, { code: '0', msg: '', data: [{ sCode: '0' }] }, undefined, []],
    [200, failed('51008', 'Insufficient'), 51008, []],
    [200, failed('51016'), 51016, ['leavesOpen', 'saysThere']],
    [200, failed('51400'), 51400, ['isAbsent']],
    [401, { code: '50102', msg: 'Timestamp request expired.', data: [] }, 50102, ['blamesClock']],
    [500, { code: '51149', msg: 'Order timed out', data: [] }, 51149, ['leavesOpen']],
    [200, { code: '1', msg: 'Operation failed.', data: [] }, 1, ['leavesOpen']],
    [502, undefined, 0, ['leavesOpen']],
    [200, undefined, 0, ['leavesOpen']],
    [429, undefined, 50011, ['isBusy']],
    [429, { code: '50013', msg: 'Systems are busy.', data: [] }, 50013, ['leavesOpen']],
    [200, { code: '0', msg: '', data: [{ sCode: '51000', sMsg: 'Parameter instId error' }] }, 51000, []],
    [200, { code: '2', msg: '', data: [{ sCode: '51400', sMsg: '' }] }, 51400, ['isAbsent']],
    [200, { code: '0', msg: '', data: [{ sCode: 'soon', sMsg: '' }] }, 0, ['leavesOpen']],
    [200, { code: '1', msg: '', data: [{ sCode: '0', sMsg: '' }] }, 1, ['leavesOpen']],
    [200, { code: '0', msg: '', data: [] }, undefined, []],
    [200, { data: [{ ordId: '1' }] }, 0, ['leavesOpen']],
    [200, { code: '', msg: '', data: null }, 0, ['leavesOpen']],
    [500, { code: '0', msg: '', data: [{ sCode: '0' }] }, 0, ['leavesOpen']],
    [200, failed('51412', 'The order has been triggered'), 51412, ['isAbsent']],
    [200, { code: '50011', msg: 'Rate limit reached.', data: [] }, 50011, ['isBusy']],
    [429, { code: '50011', msg: 'Too Many Requests', data: [] }, 50011, ['isBusy']],
  ])('status %s with %j is %s', (status, body, code, expected) => {
    const refusal = linear.refusalIn(status, body)
    expect(refusal?.code).toBe(code)
    expect(meanings.filter((name) => refusal !== undefined && linear.codes[name](refusal))).toEqual(expected)
  })

  test.each([
    [51300, 'E507'],
    [51305, 'E507'],
    [51102, 'E513'],
    [51187, 'E503'],
    [50122, 'E502'],
    [51108, 'E503'],
    [51118, 'E504'],
    [51119, 'E506'],
  ])('%s is %s', (code, ours) => {
    expect(linear.codes.meaningOf({ status: 200, code, text: '' }).code).toBe(ours)
  })

  test('of a mode is reported as one', () => {
    expect(linear.codes.meaningOf({ status: 400, code: 51000, text: 'Parameter posSide error' }).code).toBe(
      'E405',
    )
    expect(linear.codes.meaningOf({ status: 400, code: 51000, text: 'Parameter sz error' }).code).toBe('E601')
  })
})
