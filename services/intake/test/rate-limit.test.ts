import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { post, type Reply, type Surroundings, surroundings } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const exit = 'MyBot(BTCUSDT) { market(position=0) }'

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

test('alerts that only close or cancel pass beyond the limit, 20 in a minute over all replicas', async () => {
  const user = await around.addUser({ maxRequestsPerMinute: 1 })
  const replica = await around.startReplica()
  expect((await around.post(user.token, message)).status).toBe(200)
  const refused = await around.post(user.token, message)
  expect(refused.status).toBe(429)
  expect(refused.body.error).toMatch(/An alert that only closes or cancels is still taken\.$/)
  const close = async (): Promise<Reply> => await post(replica, user.token, exit)
  expect(await postTimes(20, close)).toEqual(Array.from({ length: 20 }, () => 200))
  const spent = await around.post(user.token, exit)
  expect(spent.status).toBe(429)
  expect(spent.body.error).toMatch(
    /^More than 21 alerts in a minute at this webhook\. Nothing was executed\. Try again in \d+ s\.$/,
  )
  expect(
    (await post(replica, user.token, 'Spot1(BTCUSDT) { sltp(amount=100%, sl=58000, reduceOnly=true) }'))
      .status,
  ).toBe(429)
  around.advance(60_000)
  expect((await around.post(user.token, message)).status).toBe(200)
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
    const error = "1 alert refused by the webhook's limit of 1 a minute. Nothing was executed."
    expect(event).toMatchObject({ alertId: body.alert_id, errorCode: 'rate_limited', error, message: '' })
  })

  test('many unknown tokens from one address with 429', async () => {
    const guess = async (): Promise<Reply> => await around.post('guessed', message, { from: '192.0.2.1' })
    expect(await postTimes(4, guess)).toEqual([404, 404, 404, 429])
    expect((await guess()).body).toMatchObject({ status: 'failed', error_code: 'rate_limited' })
  })
})

describe('protects', () => {
  test('unknown tokens are counted for the /64 of an IPv6 address, which one sender has as a whole', async () => {
    const guess = async (from: string): Promise<Reply> => await around.post('guessed', message, { from })
    const own = [1, 2, 3, 4].map((host) => `2001:db8:5:6::${host}`)
    const statuses: number[] = []
    for (const from of own) statuses.push((await guess(from)).status)
    expect(statuses).toEqual([404, 404, 404, 429])
    expect((await guess('2001:db8:5:7::1')).status).toBe(404)
  })

  test('after many refused alerts of a webhook only short exits are read, and a minute later all again', async () => {
    const { token } = await around.addUser()
    const replica = await around.startReplica({ REFUSED_PER_MINUTE: '3' })
    const wrong = async (): Promise<Reply> => await post(replica, token, 'MyBot(BTCUSDT) { market(up, 1) }')
    // One more is read: it is the one that shuts the door.
    expect(await postTimes(4, wrong)).toEqual([400, 400, 400, 400])
    const refused = await waitFor(async () => {
      const reply = await wrong()
      return reply.status === 429 ? reply : undefined
    })
    expect(refused.body.error).toMatch(/^More than 3 alerts at this webhook were refused in a minute\./)
    expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after))
    expect((await post(replica, token, message)).status).toBe(429)
    expect((await post(replica, token, exit)).status).toBe(200)
    expect((await post(replica, token, exit.padEnd(1025))).status).toBe(429)
    around.advance(60_000)
    expect((await post(replica, token, message)).status).toBe(200)
  })

  test('a refused caller from a foreign address does not keep out those that the webhook takes alerts from', async () => {
    const { token } = await around.addUser({ onlyTradingview: true })
    const replica = await around.startReplica({ REFUSED_PER_MINUTE: '2' })
    const foreign = async (): Promise<Reply> => await post(replica, token, message, { from: '192.0.2.9' })
    await postTimes(3, foreign)
    await waitFor(async () => (await foreign()).status === 429)
    expect((await post(replica, token, message, { from: '52.89.214.238' })).status).toBe(200)
  })

  test('a valid token passes from an address that guesses, and a guess from another address is unknown', async () => {
    const { token } = await around.addUser()
    const from = '192.0.2.2'
    await postTimes(4, async () => await around.post('guessed', message, { from }))
    expect((await around.post(token, message, { from })).status).toBe(200)
    expect((await around.post('guessed', message, { from: '192.0.2.3' })).status).toBe(404)
  })

  test('only the address that the proxy reports counts, not the one the caller claims before it', async () => {
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

// Last, since it stops a replica that would be asked about each new user.
test('300 alerts of 65 kB beyond the limit leave two small events, of which each answer names one', async () => {
  const user = await around.addUser({ maxRequestsPerMinute: 1 })
  const replica = await around.startReplica()
  await post(replica, user.token, message)
  const ids = new Set<string>()
  for (let sent = 0; sent < 300; sent += 10) {
    const flood = Array.from({ length: 10 }, async (_, index) => {
      const body = `{"x":"${sent + index}${'y'.repeat(65_000)}"}`
      return await post(replica, user.token, body)
    })
    for (const { status, body } of await Promise.all(flood)) {
      expect(status).toBe(429)
      ids.add(body.alert_id)
    }
  }
  // Counts are recorded at the end of the process, too.
  await replica.stop()
  const events = await around.refusalsOf(user)
  const counted = events.reduce((sum, { error }) => sum + Number.parseInt(error, 10), 0)
  expect(counted).toBe(300)
  expect(new Set(events.map(({ alertId }) => alertId))).toEqual(ids)
  // By the limit of one a minute, and by that of refused ones.
  expect(events.length).toBeLessThanOrEqual(4)
  expect(JSON.stringify(events).length).toBeLessThan(4000)
})
