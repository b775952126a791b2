import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { auth, open, send, signed } from './bybit/raw-client.ts'
import { eventually } from './contract/suite.ts'
import { ask, type Credentials, call, type Paper, place, startPaper } from './paper.ts'
import { connect } from './socket-rig.ts'

const HOUR = 3_600_000
const DUE = Date.UTC(2026, 10, 23, 8)
let time = DUE - 5_000
const clock = { nowMs: () => time, nowNs: () => BigInt(time) * 1_000_000n }
let paper: Paper
let owner: Credentials

beforeAll(async () => {
  paper = await startPaper({}, { clock })
  await paper.control('PUT', 'prices/BTCUSDT', { bid: '60000', ask: '60000', mark: '60000', index: '60000' })
})
beforeEach(async () => {
  owner = await paper.open()
})
afterAll(async () => await paper.stop())

const binance = async (path: string, values = {}) =>
  (await call(paper, owner, 'GET', path, { timestamp: time, ...values })).body

async function bybit(method: string, path: string, values: Record<string, string>) {
  const bytes = method === 'GET' ? new URLSearchParams(values).toString() : JSON.stringify(values)
  const { body } = await send(paper, method, path, bytes, signed(owner, bytes, { at: time }))
  expect(body.retMsg).toBe('OK')
  return body.result as { list: Record<string, unknown>[] }
}

test('on USDⓈ-M it is reported as a funding fee, with the balance and no position, and listed as income', async () => {
  const { body } = await call(paper, owner, 'POST', '/fapi/v1/listenKey', { timestamp: time })
  const { listenKey } = body as { listenKey: string }
  const client = await connect(`${paper.root.replace('http', 'ws')}/private/ws/${listenKey}`)
  await place(paper, owner, { timestamp: time })
  const events = () => client.texts.map((text) => JSON.parse(text))
  const bought = await eventually(
    () => events().filter(({ e }) => e === 'ACCOUNT_UPDATE'),
    (found) => found.length === 1,
  )
  time = DUE
  const updates = await eventually(
    () => events().filter(({ e }) => e === 'ACCOUNT_UPDATE'),
    (found) => found.length === 2,
  )
  const walletOf = (update: { a: { B: { wb: string }[] } }) => Number(update.a.B[0]?.wb)
  expect(updates[1]).toMatchObject({ T: DUE, a: { m: 'FUNDING_FEE', B: [{ a: 'USDT' }], P: [] } })
  expect(walletOf(updates[1])).toBeCloseTo(walletOf(bought[0]) - 0.06, 8)
  expect(events().filter(({ e }) => e === 'ORDER_TRADE_UPDATE')).toHaveLength(2)
  expect(await binance('/fapi/v1/income', { incomeType: 'FUNDING_FEE' })).toEqual([
    expect.objectContaining({ symbol: 'BTCUSDT', income: '-0.06000000', asset: 'USDT', time: DUE }),
  ])
  expect(await binance('/fapi/v1/userTrades', { symbol: 'BTCUSDT' })).toHaveLength(1)
  client.socket.close()
})

test('on Bybit it is reported as an execution of its own kind and with the wallet, and listed as both', async () => {
  time = DUE + HOUR
  const socket = await open(paper, '/v5/private')
  await socket.ask(auth(owner, time + 5_000))
  await socket.ask({ op: 'subscribe', args: ['execution', 'wallet', 'order'] })
  const order = { category: 'linear', symbol: 'BTCUSDT', side: 'Sell', orderType: 'Market', qty: '0.01' }
  await bybit('POST', '/v5/order/create', order)
  await socket.reported('execution', 1)
  const orders = (await socket.reported('order', 1)).length
  time = DUE + 8 * HOUR
  const paid = { execType: 'Funding', symbol: 'BTCUSDT', side: 'Sell', execQty: '0.010', execFee: '-0.06' }
  expect((await socket.reported('execution', 2))[1]).toMatchObject({
    data: [{ category: 'linear', ...paid, feeRate: '0.0001', orderLinkId: '' }],
  })
  expect(await socket.reported('wallet', 2)).toHaveLength(2)
  expect(socket.frames.filter(({ topic }) => topic === 'order')).toHaveLength(orders)
  const linear = { category: 'linear', symbol: 'BTCUSDT' }
  const { list } = await bybit('GET', '/v5/execution/list', linear)
  expect(list).toMatchObject([paid, { execType: 'Trade' }])
  const funding = await bybit('GET', '/v5/execution/list', { ...linear, execType: 'Funding' })
  expect(funding.list).toMatchObject([paid])
  const log = await bybit('GET', '/v5/account/transaction-log', { type: 'SETTLEMENT' })
  expect(log.list).toMatchObject([{ funding: '0.06', change: '0.06', currency: 'USDT' }])
  await socket.close()
})

test('its rate and its next time are shown beside the mark, and set by symbol', async () => {
  time = DUE + 9 * HOUR
  expect((await paper.control('PUT', 'funding/BTCUSDT', { rate: '-0.00025' })).status).toBe(204)
  const index = (await ask(`${paper.root}/fapi/v1/premiumIndex?symbol=BTCUSDT`)).body
  expect(index).toMatchObject({ lastFundingRate: '-0.00025000', nextFundingTime: DUE + 16 * HOUR })
  const tickers = await ask(`${paper.root}/v5/market/tickers?category=linear&symbol=BTCUSDT`)
  expect(tickers.body).toMatchObject({
    result: { list: [{ fundingRate: '-0.00025', nextFundingTime: `${DUE + 16 * HOUR}` }] },
  })
  expect((await paper.control('PUT', 'funding/NOSUCH', { rate: '0' })).status).toBe(404)
  expect((await paper.control('PUT', 'funding/BTCUSDT', { rate: '1' })).status).toBe(400)
})
