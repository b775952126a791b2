import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { RestClientV5 } from 'bybit-api'
import { contract, type Operation, type Refusal } from '../contract/suite.ts'
import { type Credentials, type Paper, startPaper } from '../paper.ts'
import { CCXT, type Ccxt } from './clients.ts'
import { BTC, nextId, ORDER } from './kinds.ts'
import { get, post, type Reply, send, signed } from './raw-client.ts'

type Values = Readonly<Record<string, unknown>>
type Row = Refusal<Ccxt>

const [PERP, SPOT] = ['BTC/USDT:USDT', 'BTC/USDT']

async function create(client: Ccxt, values: Values): Promise<unknown> {
  return await client.privatePostV5OrderCreate({ ...ORDER, ...values })
}

async function buy(client: Ccxt, amount = 0.01): Promise<void> {
  await client.createOrder(PERP, 'market', 'buy', amount)
}

const spot = (values: Values) => async (client: Ccxt) => await create(client, { category: 'spot', ...values })
const linear = (values: Values) => async (client: Ccxt) => await create(client, values)

const orders: Row[] = [
  {
    code: 110007,
    name: 'more than the margin allows',
    as: 'InsufficientFunds',
    says: 'ab not enough for new order',
    call: async (client) => await client.createOrder(PERP, 'market', 'buy', 400),
  },
  {
    code: 170131,
    name: 'more than the balance allows',
    as: 'InsufficientFunds',
    says: 'Insufficient balance.',
    call: async (client) => await client.createOrder(SPOT, 'limit', 'buy', 10, 59_000),
  },
  {
    code: 110072,
    name: 'a link id that was used before',
    as: 'InvalidOrder',
    says: 'OrderLinkedID is duplicate',
    call: twice('linear'),
  },
  {
    code: 170141,
    name: 'a link id that was used before',
    as: 'InvalidOrder',
    says: 'Duplicate clientOrderId',
    call: twice('spot'),
  },
  {
    code: 110001,
    name: 'a cancel of an unknown order',
    as: 'OrderNotFound',
    says: 'order not exists or too late to cancel',
    call: async (client) => await client.cancelOrder('0c0c0c0c-0000-4000-8000-000000000001', PERP),
  },
  {
    code: 110001,
    name: 'an amendment of an unknown order',
    says: 'order not exists or too late to replace',
    call: async (client) => await client.editOrder('nope', PERP, 'limit', 'buy', 1, 58_000),
  },
  {
    code: 170213,
    name: 'a cancel of an unknown order',
    as: 'OrderNotFound',
    says: 'Order does not exist.',
    call: async (client) => await client.cancelOrder('1700000000000000000', SPOT),
  },
  {
    code: 170213,
    name: 'a conditional order with the filter of ordinary ones',
    call: async (client) => {
      const { id } = await client.createOrder(SPOT, 'market', 'sell', 0.01, undefined, {
        triggerPrice: 59_000,
      })
      return await client.cancelOrder(`${id}`, SPOT)
    },
  },
  {
    code: 110017,
    name: 'reduce-only without a position',
    as: 'InvalidOrder',
    says: 'current position is zero',
    call: async (client) =>
      await client.createOrder(PERP, 'market', 'sell', 0.01, undefined, { reduceOnly: true }),
  },
  {
    code: 110092,
    name: 'a rising trigger below the price',
    as: 'InvalidOrder',
    says: 'expect Rising, but trigger_price[590000000] <= current[6',
    call: linear({ triggerPrice: '59000', triggerDirection: 1 }),
  },
  {
    code: 110093,
    name: 'a falling trigger above the price',
    as: 'InvalidOrder',
    says: 'expect Falling, but trigger_price[610000000] >= current[6',
    call: linear({ triggerPrice: '61000', triggerDirection: 2 }),
  },
  {
    code: 110094,
    name: 'less than the least value',
    as: 'InvalidOrder',
    says: 'minimum order value 5USDT',
    call: async (client) => await client.createOrder('XRP/USDT:USDT', 'limit', 'buy', 1, 0.58),
  },
  {
    code: 170140,
    name: 'less than the least value',
    as: 'InvalidOrder',
    says: 'Order value exceeded lower limit',
    call: spot({ orderType: 'Market', qty: '4.9' }),
  },
  {
    code: 170134,
    name: 'a price off the tick',
    as: 'InvalidOrder',
    says: 'Order price decimal too long.',
    call: spot({ price: '58000.05' }),
  },
  { code: 170140, name: 'a quantity below the least', as: 'InvalidOrder', call: spot({ qty: '0.00001' }) },
  {
    code: 170137,
    name: 'a quantity with too many places',
    as: 'InvalidOrder',
    call: spot({ qty: '0.0100001' }),
  },
  {
    code: 170148,
    name: 'a value with too many places',
    as: 'InvalidOrder',
    call: spot({ orderType: 'Market', qty: '10.000000001' }),
  },
  { code: 170124, name: 'a quantity above the most', as: 'InvalidOrder', call: spot({ qty: '84' }) },
  { code: 170132, name: 'a price above every price', as: 'InvalidOrder', call: spot({ price: '2000000' }) },
  {
    code: 170133,
    name: 'a price below every price',
    as: 'InvalidOrder',
    call: async (client) => await create(client, { category: 'spot', price: '0.05' }),
  },
  { code: 170193, name: 'a buy far above the price', as: 'InvalidOrder', call: spot({ price: '70000' }) },
  {
    code: 170194,
    name: 'a sell far below the price',
    as: 'InvalidOrder',
    call: spot({ side: 'Sell', price: '50000' }),
  },
  {
    code: 170218,
    name: 'post-only that would take',
    as: 'InvalidOrder',
    call: async (client) => await client.createOrder(SPOT, 'limit', 'buy', 0.01, 60_500, { postOnly: true }),
  },
  { code: 110003, name: 'a price outside the band', as: 'InvalidOrder', call: linear({ price: '70000' }) },
  {
    code: 10001,
    name: 'a price off the tick',
    as: 'BadRequest',
    says: 'params error: price invalid',
    call: linear({ price: '58000.05' }),
  },
  {
    code: 10001,
    name: 'a quantity off the step',
    as: 'BadRequest',
    says: 'Qty invalid',
    call: linear({ qty: '0.0105' }),
  },
  {
    code: 10001,
    name: 'a quantity below the least',
    says: 'exceeds minimum limit allowed',
    call: async (client) => await create(client, { symbol: '1000PEPEUSDT', qty: '1', price: '0.0099' }),
  },
  {
    code: 10001,
    name: 'a quantity above the most',
    says: 'exceeds maximum limit allowed',
    call: linear({ qty: '1191' }),
  },
  {
    code: 10001,
    name: 'a position index of the other mode',
    says: 'position idx not match position mode',
    call: linear({ positionIdx: 1 }),
  },
  {
    code: 10001,
    name: 'no position index in hedge mode',
    says: 'position idx not match position mode',
    call: async (client) => {
      await client.setPositionMode(true, PERP)
      return await create(client, {})
    },
  },
  {
    code: 10001,
    name: 'an unknown symbol',
    says: 'params error: symbol invalid',
    call: linear({ symbol: 'NOPEUSDT' }),
  },
  { code: 170121, name: 'an unknown symbol', call: spot({ symbol: 'NOPEUSDT' }) },
  {
    code: 10001,
    name: 'an unknown category',
    says: 'Illegal category',
    call: linear({ category: 'futures' }),
  },
  { code: 10001, name: 'an unknown side', says: 'params error: side invalid', call: linear({ side: 'Up' }) },
  { code: 170117, name: 'an unknown side', call: spot({ side: 'Up' }) },
  { code: 170116, name: 'an unknown type', call: spot({ orderType: 'Iceberg' }) },
  { code: 170115, name: 'an unknown time in force', call: spot({ timeInForce: 'GTX' }) },
  { code: 170130, name: 'no quantity', call: spot({ qty: '' }) },
  { code: 170202, name: 'a stop order without its price', call: spot({ orderFilter: 'StopOrder' }) },
  {
    code: 10001,
    name: 'a link id with other characters',
    says: 'OrderLinkedID',
    call: linear({ orderLinkId: 'a b' }),
  },
  {
    code: 10001,
    name: 'a link id that is too long',
    says: 'OrderLinkedID',
    call: linear({ orderLinkId: 'x'.repeat(37) }),
  },
  {
    code: 10001,
    name: 'a trigger without direction',
    says: 'triggerDirection',
    call: linear({ triggerPrice: '61000' }),
  },
  {
    code: 110057,
    name: 'a take profit on a reduce-only order',
    call: linear({ reduceOnly: true, takeProfit: '61000' }),
  },
  {
    code: 10001,
    name: 'a stop loss on the wrong side',
    says: 'base_price',
    call: linear({ stopLoss: '59000' }),
  },
  {
    code: 10001,
    name: 'an amendment that changes nothing',
    says: 'order not modified',
    call: async (client) => {
      const { id } = await client.createOrder(PERP, 'limit', 'buy', 0.01, 58_000)
      return await client.editOrder(`${id}`, PERP, 'limit', 'buy', 0.01, 58_000)
    },
  },
  {
    code: 110009,
    name: 'more conditional orders than a symbol may have',
    call: async (client) => {
      for (let price = 61_000; price < 61_011; price += 1) {
        await client.createOrder(PERP, 'market', 'buy', 0.01, undefined, {
          triggerPrice: price,
          triggerDirection: 'above',
        })
      }
    },
  },
]

function twice(category: 'linear' | 'spot') {
  return async (client: Ccxt): Promise<void> => {
    const orderLinkId = nextId()
    await create(client, { category, orderLinkId, price: '60100' })
    await create(client, { category, orderLinkId, price: '60100' })
  }
}

const settings: Row[] = [
  {
    code: 110025,
    name: 'the position mode it has',
    as: 'NoChange',
    call: async (client) => await client.setPositionMode(false, PERP),
  },
  {
    code: 110024,
    name: 'a position mode with a position',
    as: 'BadRequest',
    call: async (client) => {
      await buy(client)
      return await client.setPositionMode(true, PERP)
    },
  },
  {
    code: 110028,
    name: 'a position mode with open orders',
    as: 'BadRequest',
    call: async (client) => {
      await client.createOrder(PERP, 'limit', 'buy', 0.01, 58_000)
      return await client.setPositionMode(true)
    },
  },
  {
    code: 110043,
    name: 'the leverage it has',
    as: 'BadRequest',
    says: 'leverage not modified',
    call: async (client) => await client.setLeverage(10, PERP),
  },
  {
    code: 10001,
    name: 'a leverage above the most',
    says: 'buy leverage invalid',
    call: async (client) => await client.setLeverage(101, PERP),
  },
  {
    code: 110026,
    name: 'the margin mode it has',
    as: 'MarginModeAlreadySet',
    call: async (client) => await client.setMarginMode('cross'),
  },
  {
    code: 100028,
    name: 'a margin mode of one symbol',
    call: async (client) =>
      await client.privatePostV5PositionSwitchIsolated({
        category: 'linear',
        symbol: BTC,
        tradeMode: 1,
        buyLeverage: '5',
        sellLeverage: '5',
      }),
  },
  {
    code: 34040,
    name: 'the protection it has',
    as: 'ExchangeError',
    says: 'not modified',
    call: async (client) => {
      await buy(client)
      await protect(client, { stopLoss: '59000' })
      return await protect(client, { stopLoss: '59000' })
    },
  },
  {
    code: 10001,
    name: 'the protection of no position',
    says: 'can not set tp/sl/ts for zero position',
    call: async (client) => await protect(client, { stopLoss: '59000' }),
  },
  {
    code: 110015,
    name: 'more margin for a cross position',
    call: async (client) => {
      await buy(client)
      return await client.privatePostV5PositionAddMargin({
        category: 'linear',
        symbol: BTC,
        margin: '10',
        positionIdx: 0,
      })
    },
  },
  {
    code: 110033,
    name: 'more margin for no position',
    call: async (client) =>
      await client.privatePostV5PositionAddMargin({ category: 'linear', symbol: BTC, margin: '10' }),
  },
  {
    code: 110076,
    name: 'margin by itself in cross mode',
    call: async (client) =>
      await client.privatePostV5PositionSetAutoAddMargin({
        category: 'linear',
        symbol: BTC,
        autoAddMargin: 1,
      }),
  },
  {
    code: 10001,
    name: 'positions of nothing in particular',
    says: 'Missing some parameters',
    call: async (client) => await client.privateGetV5PositionList({ category: 'linear' }),
  },
]

async function protect(client: Ccxt, values: Values): Promise<unknown> {
  const position = { category: 'linear', symbol: BTC, positionIdx: 0, tpslMode: 'Full' }
  return await client.privatePostV5PositionTradingStop({ ...position, ...values })
}

const accessed: Row[] = [
  {
    code: 10003,
    name: 'an unknown key',
    as: 'AuthenticationError',
    says: 'API key is invalid.',
    call: async (client) => {
      client.apiKey = 'nobody'
      return await client.fetchBalance()
    },
  },
  {
    code: 10004,
    name: 'a wrong secret',
    as: 'AuthenticationError',
    says: 'error sign! origin_string[',
    call: async (client) => {
      client.secret = 'other'
      return await client.fetchBalance()
    },
  },
  {
    code: 10002,
    name: 'a stale clock',
    as: 'InvalidNonce',
    says: 'req_timestamp[',
    call: async (client) => {
      client.nonce = () => Date.now() - 5_500
      return await client.fetchBalance()
    },
  },
  {
    code: 10002,
    name: 'a clock that is ahead',
    as: 'InvalidNonce',
    call: async (client) => {
      client.nonce = () => Date.now() + 60_000
      return await client.fetchBalance()
    },
  },
]

// The refusals below have their own cause alone: the same account may ask.
const allowed: Operation<Ccxt> = {
  name: 'an account that asks well',
  call: async (client) => await client.fetchMarginMode(PERP),
  gives: { marginMode: 'cross', symbol: PERP },
}

contract(CCXT, [allowed], [...orders, ...settings, ...accessed])

let paper: Paper
let credentials: Credentials

beforeAll(async () => {
  paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off' })
})

afterAll(async () => await paper.stop())

const CREATE = '/v5/order/create'

// A clock that stands still keeps every request within one second.
async function frozen(): Promise<{ paper: Paper; now: number }> {
  const now = Date.now()
  const clock = { nowMs: () => now, nowNs: () => BigInt(now) * 1_000_000n }
  return { paper: await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'on' }, { clock }), now }
}

describe('limits that are reached', () => {
  let still: Awaited<ReturnType<typeof frozen>>

  beforeAll(async () => {
    still = await frozen()
  })

  afterAll(async () => await still.paper.stop())

  async function place(owner: Credentials, path: string, values: Values): Promise<Reply> {
    const body = JSON.stringify(values)
    return await send(still.paper, 'POST', path, body, signed(owner, body, { at: still.now }))
  }

  async function placeMany(owner: Credentials, category: string, count: number): Promise<Reply[]> {
    const order = { ...ORDER, category, qty: '0.001' }
    const answers = await Promise.all(Array.from({ length: count }, () => place(owner, CREATE, order)))
    return answers.filter(({ body }) => body.retCode === 10006)
  }

  test('an account places ten linear and twenty spot orders a second, and is shown the rest', async () => {
    const owner = await still.paper.open()
    const refused = await placeMany(owner, 'linear', 11)
    expect(refused).toHaveLength(1)
    const [answer] = refused
    expect(answer?.body.retMsg).toBe('Too many visits. Exceeded the API Rate Limit.')
    expect(answer?.headers.get('X-Bapi-Limit')).toBe('10')
    expect(answer?.headers.get('X-Bapi-Limit-Status')).toBe('0')
    expect(answer?.headers.get('X-Bapi-Limit-Reset-Timestamp')).toBe(`${still.now + 1_000}`)
    expect(await placeMany(owner, 'spot', 20)).toEqual([])
    expect(await placeMany(owner, 'spot', 1)).toHaveLength(1)
  })

  test('a batch counts as its orders', async () => {
    const request = Array.from({ length: 11 }, () => ({ ...ORDER, qty: '0.001' }))
    const owner = await still.paper.open()
    const answer = await place(owner, '/v5/order/create-batch', { category: 'linear', request })
    expect(answer.body.retCode).toBe(10006)
  })

  test('an address that asks too much is banned with 403', async () => {
    const other = await frozen()
    const statuses = new Map<number, number>()
    for (let round = 0; round < 61; round += 1) {
      const asks = Array.from({ length: 10 }, () => send(other.paper, 'GET', '/v5/market/time', ''))
      for (const { status } of await Promise.all(asks)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const banned = await send(other.paper, 'GET', '/v5/market/time', '')
    await other.paper.stop()
    expect([...statuses]).toEqual([
      [200, 600],
      [403, 10],
    ])
    expect(banned).toMatchObject({ status: 403, body: { retCode: 10018 } })
    expect(banned.body.retMsg).toContain('access too frequent')
  })
})

describe('a signature', () => {
  beforeAll(async () => {
    credentials = await paper.open()
  })

  test('covers the bytes of a query as they were sent', async () => {
    const query = 'accountType=%55NIFIED'
    const answer = await send(paper, 'GET', '/v5/account/wallet-balance', query, signed(credentials, query))
    expect(answer.body.retCode).toBe(0)
  })

  test('covers the bytes of a body as they were sent, spaces and all', async () => {
    const body = JSON.stringify(ORDER, null, 3)
    expect((await send(paper, 'POST', CREATE, body, signed(credentials, body))).body.retCode).toBe(0)
    const changed = body.replace('0.01', '0.02')
    expect((await send(paper, 'POST', CREATE, changed, signed(credentials, body))).body.retCode).toBe(10004)
  })

  test('holds within [server - window, server + 1 s)', async () => {
    const still = await frozen()
    const owner = await still.paper.open()
    const at = async (offset: number, window = '5000'): Promise<number> => {
      const headers = signed(owner, '', { at: still.now + offset, window })
      return (await send(still.paper, 'GET', '/v5/account/info', '', headers)).body.retCode
    }
    expect(await at(-4_000)).toBe(0)
    expect(await at(-5_500)).toBe(10002)
    expect(await at(-5_500, '20000')).toBe(0)
    expect(await at(-5_500, '')).toBe(10002)
    expect(await at(800)).toBe(0)
    expect(await at(1_500, '60000')).toBe(10002)
    expect(await at(0, 'long')).toBe(10002)
    await still.paper.stop()
  })

  test('must be there, with key and time', async () => {
    const { body, status } = await send(paper, 'GET', '/v5/account/info', '')
    expect({ body, status }).toMatchObject({
      status: 200,
      body: { retCode: 10001, result: {}, retExtInfo: {} },
    })
    expect(body.retMsg).toBe('empty value: apiTimestamp[] apiKey[] apiSignature[]')
  })
})

describe('faults speak the venue’s language', () => {
  const arm = async (fault: Values) => await paper.control('POST', 'faults', { count: 1, ...fault })

  test.each([
    [33004, 'Your api key has expired.'],
    [10000, 'Server Timeout'],
    [170007, 'Timeout waiting for response from backend server.'],
    [170146, 'Order creation timeout'],
    [10016, 'Internal System Error.'],
    [110079, 'The order is processing and can not be operated, please try again later'],
  ])('rejected with %i', async (code, text) => {
    await arm({ match: { wire: 'bybit', path: CREATE }, action: 'reject', code })
    const { status, body } = await post(paper, credentials, CREATE, ORDER)
    expect({ status, body }).toMatchObject({ status: 200, body: { retCode: code, retMsg: text, result: {} } })
  })

  test.each([
    [429, 10429],
    [403, 10018],
    [504, 10000],
    [502, 10016],
  ])('%i carries its number', async (status, retCode) => {
    await arm({ match: { wire: 'bybit', path: CREATE }, action: 'status', status })
    expect(await post(paper, credentials, CREATE, ORDER)).toMatchObject({ status, body: { retCode } })
  })

  test('a request that was carried out hides behind a server error', async () => {
    const orderLinkId = nextId()
    await arm({ match: { wire: 'bybit', path: CREATE }, action: 'accept-then-status', status: 502 })
    const hidden = await post(paper, credentials, CREATE, { ...ORDER, orderLinkId })
    expect(hidden).toMatchObject({ status: 502, body: { retCode: 10000 } })
    const found = await get(paper, credentials, '/v5/order/realtime', { category: 'linear', orderLinkId })
    expect(found.body.result['list']).toMatchObject([{ orderLinkId, orderStatus: 'New' }])
  })

  test('a clock that runs ahead refuses requests made now', async () => {
    await arm({ match: { wire: 'bybit', path: '/v5/account/info' }, action: 'clock-skew', ms: 6_000 })
    expect((await get(paper, credentials, '/v5/account/info')).body.retCode).toBe(10002)
  })

  test('reads that lag do not show the latest order', async () => {
    await post(paper, credentials, CREATE, { ...ORDER, price: '57000' })
    const asked = { category: 'linear', symbol: BTC }
    const list = async () => (await get(paper, credentials, '/v5/order/realtime', asked)).body.result['list']
    const now = (await list()) as unknown[]
    await arm({ match: { wire: 'bybit', path: '/v5/order/realtime' }, action: 'read-lag', ms: 50_000 })
    expect(await list()).toEqual([])
    expect(now.length).toBeGreaterThan(0)
  })
})

test('the journal names every order of a batch', async () => {
  credentials = await paper.open()
  const request = [
    { ...ORDER, orderLinkId: nextId() },
    { ...ORDER, orderLinkId: nextId(), qty: '0' },
  ]
  await post(paper, credentials, '/v5/order/create-batch', { category: 'linear', request })
  expect(await paper.journal(credentials.apiKey)).toMatchObject([
    { wire: 'bybit', op: 'place', clientOrderId: request[0]?.orderLinkId, outcome: 'accepted', side: 'Buy' },
    { wire: 'bybit', op: 'place', clientOrderId: request[1]?.orderLinkId, outcome: 'rejected', code: 10001 },
  ])
})

test('bybit-api answers a refusal as the venue sends it', async () => {
  const { apiKey, secret } = await paper.open()
  const client = new RestClientV5({ key: apiKey, secret, baseUrl: `${paper.root}/bybit` })
  const answer = await client.submitOrder({
    ...ORDER,
    category: 'linear',
    side: 'Buy',
    orderType: 'Limit',
    qty: '400',
  })
  expect(answer).toMatchObject({ retCode: 110007, result: {}, retExtInfo: {} })
})
