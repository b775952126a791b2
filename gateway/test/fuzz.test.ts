import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SessionId } from '@tripline/proto/id'
import { fuzzApi } from '@tripline/testkit/fuzz/fuzz-api'
import { isLongRun, seed } from '@tripline/testkit/seed'
import { ada, type GatewayFixture, startFixture } from './gateway-fixture.ts'

const count = isLongRun ? 10_000 : 400

let gateway: GatewayFixture
beforeAll(async () => {
  gateway = await startFixture()
})
afterAll(async () => await gateway.stop())

test('no request of any call makes a fault, and every answer is as the document says', async () => {
  // A session of its own for each, since some of the requests end theirs.
  const token = (): string => gateway.token({ ...ada, sid: SessionId.parse(randomUUID()) })
  const tally = await fuzzApi({ url: gateway.url, token, count, seed })
  process.stdout.write(`seed ${seed}: ${count} requests, ${JSON.stringify(tally)}\n`)
  expect(Object.keys(tally)).toEqual(expect.arrayContaining(['200', '401', '422']))
}, 3_600_000)
