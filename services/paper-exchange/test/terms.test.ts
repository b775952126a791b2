import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { get } from './bybit/raw-client.ts'
import { type Credentials, call, find, type Paper, place, startPaper } from './paper.ts'

let paper: Paper
let owner: Credentials

beforeAll(async () => {
  paper = await startPaper()
})
beforeEach(async () => {
  owner = await paper.open()
})
afterAll(async () => await paper.stop())

const agree = async (terms: object) => await paper.control('PUT', `accounts/${owner.apiKey}/terms`, terms)
const read = async (path: string) => (await call(paper, owner, 'GET', path)).body

test('answers to orders show a mean price only where it is agreed, as it was until 2026-06-30', async () => {
  const [today] = [(await place(paper, owner, { newClientOrderId: 'tToday' })).body]
  expect(today).not.toHaveProperty('avgPrice')
  await agree({ meanPrices: true })
  const before = (await place(paper, owner, { newClientOrderId: 'tBefore' })).body
  const { avgPrice, cumQuote } = (await find(paper, owner, 'tBefore')).body as Record<string, string>
  expect(before).toMatchObject({ avgPrice, cumQuote })
})

test('margin is of all coins together where it is agreed', async () => {
  expect(await read('/fapi/v1/accountConfig')).toMatchObject({ multiAssetsMargin: false })
  await agree({ multiAssets: true })
  expect(await read('/fapi/v1/accountConfig')).toMatchObject({ multiAssetsMargin: true })
  expect(await read('/fapi/v1/multiAssetsMargin')).toEqual({ multiAssetsMargin: true })
})

test('credits stand where the coin stood, and the account’s own sums are unchanged', async () => {
  await agree({ credits: true })
  expect(await read('/fapi/v3/account')).toMatchObject({
    availableBalance: '10000.00000000',
    assets: [
      { asset: 'BNFCR', walletBalance: '10000.00000000' },
      { asset: 'USDT', walletBalance: '0.00000000', availableBalance: '0.00000000' },
    ],
  })
})

test('positions at Bybit have no sequence, or an unknown one, where it is agreed', async () => {
  const position = async () => {
    const linear = { category: 'linear', symbol: 'BTCUSDT' }
    const { body } = await get(paper, owner, '/v5/position/list', linear)
    return (body.result as { list: object[] }).list[0]
  }
  await agree({ positionSeq: 'none' })
  expect(await position()).not.toHaveProperty('seq')
  await agree({ positionSeq: 'unknown' })
  expect(await position()).toMatchObject({ seq: -1 })
})

test('modes of positions and margins are set for all linear markets, while nothing is held', async () => {
  expect((await agree({ positionMode: 'hedge', marginMode: 'isolated' })).status).toBe(200)
  expect(await read('/fapi/v1/positionSide/dual')).toEqual({ dualSidePosition: true })
  expect((await get(paper, owner, '/v5/account/info')).body.result).toMatchObject({
    marginMode: 'ISOLATED_MARGIN',
  })
  await place(paper, owner, { positionSide: 'LONG' })
  expect(await agree({ positionMode: 'one-way' })).toMatchObject({
    status: 409,
    body: { detail: 'positionExists' },
  })
})
