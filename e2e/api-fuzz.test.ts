import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fuzzApi } from '@tripline/testkit/fuzz/fuzz-api'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { isLongRun, seed } from '@tripline/testkit/seed'
import { type Product, type ProductOptions, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'

const count = isLongRun ? 10_000 : 300

let product: Product
let trader: Trader
const faults: string[] = []
beforeAll(async () => {
  const onLine: ProductOptions['onLine'] = (service, line) => {
    // On a machine that stalls time may run out; that is no fault of the request.
    if (/"msg":"request failed"/.test(line) && !/timeout/i.test(line)) faults.push(`${service}: ${line}`)
  }
  product = await startProduct({ ephemeral: true, env: { ACCESS_TOKEN_MINUTES: '60' }, onLine })
  trader = await newTrader(product)
}, 120_000)
afterAll(async () => await product.stop())

/** An execution, and keys to be changed and deleted. */
async function idsOfThings(): Promise<string[]> {
  const labels = ['One', 'Two', 'Three']
  const keys = await Promise.all(labels.map(async (label) => await trader.linkPaperBot(label, 'spot')))
  const { body } = await trader.send('MyBot(BTCUSDT) { market(buy, 0.01) }', '?wait=20000')
  const isFinished = async (): Promise<boolean> =>
    (await trader.executions()).some(({ overall_status }) => overall_status === 'success')
  await waitFor(isFinished)
  return [String(body['execution_id']), ...keys]
}

test('no request of any call makes a fault, and every answer is as the document says', async () => {
  const ids = await idsOfThings()
  const before = await trader.executions()
  const tally = await fuzzApi({
    url: product.urls.web,
    token: () => trader.accessToken,
    count,
    seed,
    ids,
    // They end the session that the other requests stand on.
    leftOut: ['POST /api/auth/logout', 'DELETE /api/auth/sessions'],
  })
  process.stdout.write(`seed ${seed}: ${count} requests, ${JSON.stringify(tally)}\n`)
  expect(Object.keys(tally)).toEqual(expect.arrayContaining(['200', '401', '404', '422']))
  // None of them traded.
  expect(await trader.executions()).toEqual(before)
  // A service that fails inside answers that it is unavailable, and says in its log why.
  expect(faults).toEqual([])
}, 3_600_000)
