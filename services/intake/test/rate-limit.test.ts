import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { post, type Reply, type Surroundings, surroundings } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

let around: Surroundings

beforeAll(async () => {
  around = await surroundings({ UNKNOWN_TOKENS_PER_MINUTE: '3' })
  await around.execute()
})
afterAll(async () => await around.stop())

async function postTimes(times: number, one: () => Promise<Reply>): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time++) statuses.push((await one()).status)
  return statuses
}

describe('works', () => {
  test('as many alerts pass in a minute as the webhook allows, and more when the first is a minute old', async () => {
    const { token } = await around.addUser({ maxRequestsPerMinute: 3 })
    const send = async (): Promise<Reply> => await around.post(token, message)
    expect(await postTimes(1, send)).toEqual([200])
    around.advance(30_000)
    expect(await postTimes(3, send)).toEqual([200, 200, 429])
    around.advance(30_000)
    expect(await postTimes(2, send)).toEqual([200, 429])
  })

  test('replicas count together', async () => {
    const { token } = await around.addUser({ maxRequestsPerMinute: 2 })
    const replica = await around.startReplica()
    expect((await around.post(token, message)).status).toBe(200)
    expect((await post(replica, token, message)).status).toBe(200)
    expect((await around.post(token, message)).status).toBe(429)
    expect((await post(replica, token, message)).status).toBe(429)
  })
})

describe('refuses', () => {
  test('one more with 429 and the time to wait, executes nothing and records it', async () => {
    const user = await around.addUser({ maxRequestsPerMinute: 1 })
    await around.post(user.token, message)
    const { status, headers, body } = await around.post(user.token, message)
    expect(status).toBe(429)
    expect(body).toMatchObject({ status: 'failed', error_code: 'rate_limited' })
    expect(body.retry_after).toBeGreaterThan(55)
    expect(body.retry_after).toBeLessThanOrEqual(60)
    expect(headers.get('retry-after')).toBe(String(body.retry_after))
    expect(await around.alertsOf(user)).toHaveLength(1)
    const event = await waitFor(async () => (await around.refusalsOf(user))[0])
    expect(event).toMatchObject({ errorCode: 'rate_limited', message, label: 'MyBot' })
  })

  test('many unknown tokens from one address with 429', async () => {
    const guess = async (): Promise<Reply> => await around.post('guessed', message, { from: '192.0.2.1' })
    expect(await postTimes(4, guess)).toEqual([404, 404, 404, 429])
    expect((await guess()).body).toMatchObject({ status: 'failed', error_code: 'rate_limited' })
  })
})

describe('protects', () => {
  test('a valid token passes from an address that guesses, and a guess from another address is unknown', async () => {
    const { token } = await around.addUser()
    const from = '192.0.2.2'
    await postTimes(4, async () => await around.post('guessed', message, { from }))
    expect((await around.post(token, message, { from })).status).toBe(200)
    expect((await around.post('guessed', message, { from: '192.0.2.3' })).status).toBe(404)
  })

  test('only the address that the proxy tells counts, not what the caller claims before it', async () => {
    const guess = async (claimed: string): Promise<Reply> =>
      await around.post('guessed', message, { from: `${claimed}, 192.0.2.4` })
    expect((await guess('10.0.0.1')).status).toBe(404)
    expect((await guess('10.0.0.2')).status).toBe(404)
    expect((await guess('10.0.0.3')).status).toBe(404)
    expect((await guess('10.0.0.4')).status).toBe(429)
  })

  test("one user's flood does not count for another", async () => {
    const loud = await around.addUser({ maxRequestsPerMinute: 1 })
    const quiet = await around.addUser({ maxRequestsPerMinute: 1 })
    await postTimes(3, async () => await around.post(loud.token, message))
    expect((await around.post(quiet.token, message)).status).toBe(200)
  })
})
