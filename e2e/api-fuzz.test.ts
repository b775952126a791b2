import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Product, startProduct } from '@tripline/scripts/product'
import { fuzzApi } from '@tripline/testkit/fuzz/fuzz-api'
import { newTrader, type Trader } from './trader.ts'

const { TRIPLINE_LONG, TRIPLINE_SEED } = process.env
const count = TRIPLINE_LONG ? 10_000 : 300
const seed = Number(TRIPLINE_SEED ?? Date.now() % 2 ** 31)

let product: Product
let trader: Trader
beforeAll(async () => {
  product = await startProduct({ ephemeral: true, env: { ACCESS_TOKEN_MINUTES: '60' } })
  trader = await newTrader(product)
}, 120_000)
afterAll(async () => await product.stop())

test('no request of any call makes a fault, and every answer is as the document says', async () => {
  const tally = await fuzzApi({
    url: product.urls.web,
    token: () => trader.accessToken,
    count,
    seed,
    // They end the session that the other requests stand on.
    leftOut: ['POST /api/auth/logout', 'DELETE /api/auth/sessions'],
  })
  process.stdout.write(`seed ${seed}: ${count} requests, ${JSON.stringify(tally)}\n`)
  expect(Object.keys(tally)).toEqual(expect.arrayContaining(['200', '401', '404', '422']))
  expect(await trader.executions()).toEqual([])
}, 3_600_000)
