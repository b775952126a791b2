import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Credentials, call, type Paper, place, startPaper } from './paper.ts'

let paper: Paper

beforeAll(async () => {
  paper = await startPaper()
  await paper.control('PUT', 'prices/BTCUSDT', { bid: '60000', ask: '60000', last: '60000', mark: '60000' })
  await paper.control('PUT', 'prices/BNBUSDT', { bid: '600', ask: '600', last: '600', mark: '600' })
})
afterAll(async () => await paper.stop())

async function spot(owner: Credentials, values = {}) {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01', ...values }
  const { body } = await call(paper, owner, 'POST', '/api/v3/order', order)
  return body as { fills: { commission: string; commissionAsset: string }[] }
}

const balances = async ({ apiKey }: Credentials) =>
  ((await paper.control('GET', `accounts/${apiKey}`)).body as { balances: Record<string, string> }).balances

describe('an account that has BNB pays fees with it', () => {
  test('on spot at three quarters, and gets all that it buys', async () => {
    const owner = await paper.open({ USDT: '1000', BNB: '1' })
    // 0.1 % of 600 at three quarters, of a coin of 600.
    expect((await spot(owner)).fills).toMatchObject([{ commission: '0.00075000', commissionAsset: 'BNB' }])
    expect(await balances(owner)).toMatchObject({ BTC: '0.01', BNB: '0.99925', USDT: '400' })
    await spot(owner, { side: 'SELL' })
    expect(await balances(owner)).toMatchObject({ BTC: '0', BNB: '0.9985', USDT: '1000' })
    const trades = await call(paper, owner, 'GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })
    expect(trades.body).toMatchObject([{ commissionAsset: 'BNB' }, { commissionAsset: 'BNB' }])
  })

  test('on futures at nine tenths, beside a break-even price that counts the whole fee', async () => {
    const owner = await paper.open({ USDT: '1000', BNB: '1' })
    await place(paper, owner)
    // 0.05 % of 600 at nine tenths, of a coin of 600.
    const trades = await call(paper, owner, 'GET', '/fapi/v1/userTrades', { symbol: 'BTCUSDT' })
    expect(trades.body).toMatchObject([{ commission: '0.00045000', commissionAsset: 'BNB' }])
    expect(await balances(owner)).toMatchObject({ BNB: '0.99955', USDT: '1000' })
    const [position] = (await call(paper, owner, 'GET', '/fapi/v3/positionRisk')).body as object[]
    expect(position).toMatchObject({ entryPrice: '60000.0', breakEvenPrice: '60030.0' })
    const income = await call(paper, owner, 'GET', '/fapi/v1/income', { incomeType: 'COMMISSION' })
    expect(income.body).toMatchObject([{ income: '-0.00045000', asset: 'BNB' }])
  })
})

describe('a fee is taken as usual', () => {
  const USUAL = [{ commission: '0.00001000', commissionAsset: 'BTC' }]

  test('where there is not enough BNB for the whole of it', async () => {
    const owner = await paper.open({ USDT: '1000', BNB: '0.00074' })
    expect((await spot(owner)).fills).toMatchObject(USUAL)
    expect(await balances(owner)).toMatchObject({ BTC: '0.00999', BNB: '0.00074' })
  })

  test('where open orders lock the BNB', async () => {
    const owner = await paper.open({ USDT: '1000', BNB: '1' })
    const rest = { symbol: 'BNBUSDT', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', price: '700' }
    await call(paper, owner, 'POST', '/api/v3/order', { ...rest, quantity: '1' })
    expect((await spot(owner)).fills).toMatchObject(USUAL)
  })

  test('where the account says so, on each market for itself', async () => {
    const owner = await paper.open({ USDT: '1000', BNB: '1' })
    const { body } = await call(paper, owner, 'POST', '/sapi/v1/bnbBurn', { spotBNBBurn: 'false' })
    expect(body).toEqual({ spotBNBBurn: false, interestBNBBurn: false })
    expect((await spot(owner)).fills).toMatchObject(USUAL)
    const burns = async () => (await call(paper, owner, 'GET', '/fapi/v1/feeBurn')).body
    expect(await burns()).toEqual({ feeBurn: true })
    await call(paper, owner, 'POST', '/fapi/v1/feeBurn', { feeBurn: 'false' })
    expect(await burns()).toEqual({ feeBurn: false })
    const commission = await call(paper, owner, 'GET', '/api/v3/account/commission', { symbol: 'BTCUSDT' })
    expect(commission.body).toMatchObject({
      discount: { enabledForAccount: false, discount: '0.75000000' },
    })
  })

  test('where control says so', async () => {
    const owner = await paper.open({ USDT: '1000', BNB: '1' })
    await paper.control('PUT', `accounts/${owner.apiKey}/terms`, { bnbFees: { spot: false, futures: true } })
    expect((await spot(owner)).fills).toMatchObject(USUAL)
  })
})
