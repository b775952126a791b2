import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { WebhookRefusal } from '@tripline/proto/http/webhook'
import { waitFor } from '@tripline/testkit/wait-for'
import { startAuth, type TestAuth } from './auth.ts'
import { post, type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const tradingview = '52.89.214.238'
const elsewhere = '203.0.113.9'

let around: Surroundings
let user: TestUser
let tokenOf: TestAuth['tokenOf']
let endSession: TestAuth['endSession']
beforeAll(async () => {
  around = await surroundings({ TRUST_PROXY: '127.0.0.1, ::1' })
  await around.execute()
  const auth = await startAuth(around.nats)
  tokenOf = auth.tokenOf
  endSession = auth.endSession
  user = await around.addUser({ onlyTradingview: true })
})
afterAll(async () => await around.stop())

describe('works', () => {
  test.each([tradingview, `198.51.100.7, ${tradingview}`, `::ffff:${tradingview}`])(
    'an alert that the proxy says came from %s is executed',
    async (from) => {
      expect((await around.post(user.token, message, { from })).status).toBe(200)
    },
  )

  test("the owner's own session passes from anywhere", async () => {
    const bearer = await tokenOf(user.config.userId)
    expect((await around.post(user.token, message, { from: elsewhere, bearer })).status).toBe(200)
  })

  test('the same while the webhook is switched off: the Terminal closes open positions', async () => {
    const off = await around.addUser({ isActive: false })
    const bearer = await tokenOf(off.config.userId)
    expect((await around.post(off.token, message, { from: elsewhere, bearer })).status).toBe(200)
  })

  test('a webhook without the setting takes alerts from anywhere', async () => {
    const open = await around.addUser()
    expect((await around.post(open.token, message, { from: elsewhere })).status).toBe(200)
  })
})

describe('refuses', () => {
  test('an alert from another address with 422, executes nothing and records it', async () => {
    const one = await around.addUser({ onlyTradingview: true })
    const { status, body } = await around.post(one.token, message, { from: elsewhere })
    expect(status).toBe(422)
    expect(WebhookRefusal.parse(body)).toMatchObject({ error_code: 'E404', diagnostics: [{ code: 'E404' }] })
    expect(body.error).toContain(elsewhere)
    expect(await around.alertsOf(one)).toEqual([])
    const event = await waitFor(async () => (await around.refusalsOf(one))[0])
    expect(event).toMatchObject({ alertId: body.alert_id, errorCode: 'E404', message })
  })

  test('a webhook that is switched off with 409 all the same', async () => {
    const off = await around.addUser({ onlyTradingview: true, isActive: false })
    for (const from of [elsewhere, tradingview])
      expect((await around.post(off.token, message, { from })).status).toBe(409)
    const bearer = await tokenOf(user.config.userId)
    expect((await around.post(off.token, message, { from: elsewhere, bearer })).status).toBe(409)
  })
})

describe('protects', () => {
  test('an address that a caller claims before the proxy counts for nothing', async () => {
    const forged = `${tradingview}, ${elsewhere}`
    expect((await around.post(user.token, message, { from: forged })).status).toBe(422)
  })

  test('the header of a peer that is no trusted proxy is not read', async () => {
    const bare = await surroundings({ TRUST_PROXY: '10.0.0.0/8' })
    try {
      await bare.execute()
      const one = await bare.addUser({ onlyTradingview: true })
      expect((await bare.post(one.token, message, { from: tradingview })).status).toBe(422)
    } finally {
      await bare.stop()
    }
  })

  test('strangers use up neither the bytes of the owner nor the reports of alerts from TradingView', async () => {
    const replica = await around.startReplica({
      STORED_BYTES_PER_DAY: '100000',
      REFUSED_BYTES_PER_DAY: '5000',
    })
    const one = await around.addUser({ onlyTradingview: true })
    const statuses = new Set<number>()
    for (let sent = 0; sent < 30; sent++)
      statuses.add((await post(replica, one.token, '\u0001'.repeat(2000), { from: elsewhere })).status)
    expect(statuses).toEqual(new Set([422]))
    const wrong = await post(replica, one.token, 'MyBot(BTCUSDT) { market(up, 1) }', { from: tradingview })
    expect((await post(replica, one.token, message, { from: tradingview })).status).toBe(200)
    const events = await waitFor(async () => {
      const refusals = await around.refusalsOf(one)
      return (
        ['E301', 'rate_limited'].every((code) => refusals.some(({ errorCode }) => errorCode === code)) &&
        refusals
      )
    })
    expect(events.find(({ alertId }) => alertId === wrong.body.alert_id)?.errorCode).toBe('E301')
    expect(events.filter(({ errorCode }) => errorCode === 'E404').length).toBeLessThan(4)
    expect(events.filter(({ errorCode }) => errorCode === 'rate_limited').map(({ error }) => error)).toEqual([
      "1 alert refused by the setting that takes alerts from TradingView's addresses only, beyond the 5000 bytes a day for which each is reported. Nothing was executed.",
    ])
  })

  test('a token of a session that has ended does not pass, and one of another session does', async () => {
    const sid = '0193f5a0-0000-7000-8000-00000000ada2'
    const { userId } = user.config
    const [ended, other] = [await tokenOf(userId, { sid }), await tokenOf(userId)]
    const statusOf = async (bearer: string): Promise<number> =>
      (await around.post(user.token, message, { from: elsewhere, bearer })).status
    expect(await statusOf(ended)).toBe(200)
    await endSession(sid)
    await waitFor(async () => (await statusOf(ended)) === 422)
    expect(await statusOf(other)).toBe(200)
  })

  test.each([
    ['of another user', async () => await tokenOf('0193f5a0-0000-7000-8000-00000000b0b0')],
    ['that is expired', async () => await tokenOf(user.config.userId, { expiresIn: '-1 second' })],
    ['for another audience', async () => await tokenOf(user.config.userId, { audience: 'elsewhere' })],
    ['of an unknown key', async () => await tokenOf(user.config.userId, { kid: 'key-2' })],
    [
      'signed with another key',
      async () => await tokenOf(user.config.userId, { key: generateKeyPairSync('ed25519').privateKey }),
    ],
    ['that is none', async () => 'nonsense'],
  ])('a token %s does not pass', async (_name, make) => {
    const bearer = await make()
    expect((await around.post(user.token, message, { from: elsewhere, bearer })).status).toBe(422)
  })
})
