import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { WebhookAnswer, WebhookRefusal } from '@tripline/proto/http/webhook'
import { waitFor } from '@tripline/testkit/wait-for'
import { refuse, succeed } from './executor.ts'
import { post, type Surroundings, surroundings, type TestUser, tokenHashOf } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

let around: Surroundings
let user: TestUser

beforeAll(async () => {
  around = await surroundings()
  user = await around.addUser()
  await around.execute((alert) => {
    if (alert.message.includes('silent')) return undefined
    return alert.message.includes('BTCUSD)') ? refuse(alert) : succeed(alert)
  })
})
afterAll(async () => await around.stop())

describe('works', () => {
  test('an executed alert answers 200 with its result and the time of each stage', async () => {
    const { status, body } = await around.post(user.token, message)
    expect(status).toBe(200)
    expect(WebhookAnswer.parse(body)).toMatchObject({
      status: 'success',
      message: '1 of 1 command succeeded',
      error: null,
      execution_id: `${body.alert_id}-0`,
      results: [
        {
          label: 'MyBot',
          symbol: 'BTCUSDT',
          results: [{ command: 'market', success: true, status: 'success' }],
          commands: [{ command: 'market', success: true }],
        },
      ],
    })
    expect(body.performance.read_ms).toBeGreaterThan(0)
    expect(body.diagnostics).toBeUndefined()
    expect(body.performance.total_ms).toBeGreaterThanOrEqual(body.performance.read_ms)
    expect(body.duplicate).toBeUndefined()
  })

  test('warnings about an executed message come with its result', async () => {
    const { body } = await around.post(user.token, 'MyBot(BTCUSDT) { market(buy, 1, position=0) }')
    expect(WebhookAnswer.parse(body)).toMatchObject({ status: 'success', diagnostics: [{ code: 'W701' }] })
  })

  test('one message of the stream carries the whole alert, each block with its bot', async () => {
    const one = await around.addUser()
    const text = 'MyBot(BTCUSDT) { market(buy, 1) }\nspot1(ETHUSDT) { market(sell, 50%); balance }'
    const { body } = await around.post(one.token, text)
    const [alert, ...others] = await around.alertsOf(one)
    expect(others).toEqual([])
    expect(alert).toMatchObject({
      alertId: body.alert_id,
      userId: one.config.userId,
      message: text,
      isFirst: true,
      blocks: [
        { label: 'MyBot', botId: one.config.bots[0]?.id, commands: [{ type: 'market' }] },
        {
          label: 'Spot1',
          botId: one.config.bots[1]?.id,
          commands: [{ type: 'market' }, { type: 'balance' }],
        },
      ],
    })
  })

  test('the body goes along as it was received, where the message is not the whole of it', async () => {
    const one = await around.addUser()
    const body = JSON.stringify({ message, id: 'kept' })
    await around.post(one.token, body)
    await around.post(one.token, message)
    const [inJson, plain] = await around.alertsOf(one)
    expect(inJson).toMatchObject({ message, body })
    expect(plain?.body).toBeUndefined()
    const wrong = JSON.stringify({ message: 'MyBot(BTCUSDT) { market(up, 1) }' })
    await around.post(one.token, wrong)
    const refused = await waitFor(async () => (await around.refusalsOf(one))[0])
    expect(refused).toMatchObject({ message: 'MyBot(BTCUSDT) { market(up, 1) }', body: wrong })
  })

  test.each([
    ['JSON sent as JSON', 'application/json', JSON.stringify({ message })],
    ['JSON sent as text', 'text/plain; charset=utf-8', ` ${JSON.stringify({ message })}\n`],
    ['text sent as JSON', 'application/json', message],
    ['a JSON text', 'application/json', JSON.stringify(message)],
    ['a form', 'application/x-www-form-urlencoded', message],
    ['a type that is none', 'nonsense', message],
  ])('%s is read', async (_name, type, body) => {
    const reply = await around.post(user.token, body, { type })
    expect(reply.status).toBe(200)
  })

  test.each([
    [
      'our JSON',
      'tripline',
      '{"bot":"MyBot","symbol":"BTCUSDT","commands":[{"type":"market","side":"buy","amount":0.1}]}',
    ],
    [
      'an alert of another product',
      'traderspost',
      '{"ticker":"BTCUSDT","action":"buy","quantity":0.1,"bot":"MyBot"}',
    ],
    ['our own language in its JSON', 'traderspost', JSON.stringify({ message })],
  ] as const)('%s is read on a webhook of the format %s', async (_name, alertFormat, body) => {
    const other = await around.addUser({ alertFormat })
    const reply = await around.post(other.token, body)
    expect([reply.status, reply.body.results[0]?.symbol]).toEqual([200, 'BTCUSDT'])
  })

  test('an alert that is not finished within the wait answers 202', async () => {
    const { status, body } = await around.post(user.token, `silent ${message}`, { wait: 50 })
    expect(status).toBe(202)
    expect(WebhookAnswer.parse(body)).toMatchObject({
      status: 'accepted',
      execution_id: `${body.alert_id}-0`,
      results: [],
    })
  })

  test('without `wait` an answer waits as long as is set', async () => {
    const impatient = await surroundings({ RESULT_WAIT_MS: '30' })
    const { token } = await impatient.addUser()
    const { status, body } = await impatient.post(token, message)
    expect([status, body.status]).toEqual([202, 'accepted'])
    await impatient.stop()
  })
})

describe('refuses', () => {
  test('an unreadable message with 400 and every diagnostic, and nothing is stored', async () => {
    const one = await around.addUser()
    const { status, body } = await around.post(one.token, 'MyBt(BTCUSDT) { markt(buy, 1) }')
    expect(status).toBe(400)
    expect(WebhookRefusal.parse(body)).toMatchObject({
      status: 'failed',
      error_code: 'E201',
      diagnostics: [
        { code: 'E201', line: 1, column: 1, offset: 0, length: 4, suggestion: 'MyBot' },
        { code: 'E202', suggestion: 'market' },
      ],
    })
    expect(body.error).toContain('MyBot, Spot1')
    expect(await around.alertsOf(one)).toEqual([])
  })

  test.each([
    ['an empty body', '', 'E101'],
    ['JSON without a message', '{"text":"MyBot(BTCUSDT) { balance }"}', 'E101'],
    ['JSON with an id that is too long', JSON.stringify({ message, id: 'x'.repeat(65) }), 'E109'],
    ['JSON with an unfilled id', JSON.stringify({ message, id: '{{time}}' }), 'E108'],
  ])('%s with 400', async (_name, raw, code) => {
    const { status, body } = await around.post(user.token, raw)
    expect([status, body.error_code]).toEqual([400, code])
  })

  test('an alert in the form of another product, whose fields name the place', async () => {
    const other = await around.addUser({ alertFormat: 'traderspost' })
    const body = '{"ticker":"BTCUSDT","action":"buy","quantity":1,"trailPercent":2,"bot":"MyBot"}'
    const reply = await around.post(other.token, body)
    expect(reply.status).toBe(422)
    expect(WebhookRefusal.parse(reply.body)).toMatchObject({
      error_code: 'E404',
      diagnostics: [{ code: 'E404', offset: body.indexOf('trailPercent'), length: 12 }],
    })
    expect((await around.post(other.token, message)).body.error_code).toBe('E101')
  })

  test('an alert that came later than it says it may', async () => {
    const other = await around.addUser({ alertFormat: '3commas' })
    const alert = { action: 'exit_long', tv_instrument: 'BTCUSDT', bot: 'MyBot', max_lag: 60 }
    const late = await around.post(other.token, { ...alert, timestamp: '2026-01-01T00:00:00Z' })
    expect([late.status, late.body.error_code]).toEqual([422, 'E515'])
    const inTime = await around.post(other.token, { ...alert, timestamp: new Date().toISOString() })
    expect(inTime.status).toBe(200)
  })

  test('a block that the check of the bot refuses, with 422 and its place', async () => {
    const text = `${message}\n  MyBot(BTCUSD) { balance }`
    const { status, body } = await around.post(user.token, text)
    expect(status).toBe(422)
    expect(WebhookRefusal.parse(body)).toMatchObject({
      error_code: 'E401',
      error: 'E401 BTCUSD is not listed on this market',
      diagnostics: [{ code: 'E401', line: 1, column: 1 }],
    })
  })

  test('a symbol of another market than that of the bot, with 422', async () => {
    const { status, body } = await around.post(user.token, 'Spot1(BTCUSDT.P) { balance }')
    expect([status, body.error_code]).toEqual([422, 'E403'])
  })

  test('an unknown token with 404, without an id', async () => {
    const { status, body } = await around.post('nobody', message)
    expect(status).toBe(404)
    expect(WebhookRefusal.parse(body)).toMatchObject({ status: 'failed', error_code: 'unknown_webhook' })
    expect(body.alert_id).toBeUndefined()
  })

  test.each(['a/b', 'x'.repeat(500), '%20', ''])(
    'the token %j like any other that is unknown',
    async (token) => {
      const { status, body } = await around.post(token, message)
      expect([status, body]).toEqual([404, (await around.post('nobody', message)).body])
    },
  )

  test('an inactive webhook with 409', async () => {
    const { token } = await around.addUser({ isActive: false })
    const { status, body } = await around.post(token, message)
    expect([status, WebhookRefusal.parse(body).error_code]).toEqual([409, 'webhook_inactive'])
  })

  test('more than 64 KiB with 413', async () => {
    const one = await around.addUser()
    const fits = await around.post(one.token, message.padEnd(65_536))
    const { status, body } = await around.post(one.token, message.padEnd(65_537))
    expect(fits.status).toBe(200)
    expect([status, WebhookRefusal.parse(body).error_code]).toEqual([413, 'message_too_large'])
    expect(await around.alertsOf(one)).toHaveLength(1)
    const refusal = await waitFor(async () => (await around.refusalsOf(one))[0])
    expect(refusal).toMatchObject({ errorCode: 'message_too_large', message: '' })
  })

  test('every refusal on a valid token leaves an event with its text and the bot it names', async () => {
    const one = await around.addUser()
    const text = 'MyBot(BTCUSDT) { market(up, 1) }'
    const { body } = await around.post(one.token, text)
    const event = await waitFor(async () => (await around.refusalsOf(one))[0])
    expect(event).toMatchObject({
      eventId: `${body.alert_id}.-.refused`,
      alertId: body.alert_id,
      message: text,
      botId: one.config.bots[0]?.id,
      label: 'MyBot',
      exchange: 'paper_futures',
      errorCode: 'E301',
      error: body.error,
    })
  })

  test('of a refused alert that is long the event has the beginning, and says so', async () => {
    const one = await around.addUser()
    const text = `MyBot(BTCUSDT) { market(up, 1) } ${'x'.repeat(60_000)}`
    await around.post(one.token, text)
    await around.post(one.token, JSON.stringify({ message: text, id: 'long' }))
    const events = await waitFor(async () => {
      const refusals = await around.refusalsOf(one)
      return refusals.length === 2 ? refusals : undefined
    })
    const [plain, inJson] = events
    expect(plain?.message).toBe(`${text.slice(0, 1024)} ... [cut: 1024 of ${text.length} characters]`)
    expect(inJson?.message).toMatch(/^MyBot\(BTCUSDT\) .* \.\.\. \[cut: 512 of \d+ characters\]$/)
    expect(inJson?.body).toMatch(/^\{"message":"MyBot.* \.\.\. \[cut: 509 of \d+ characters\]$/)
  })
})

describe('protects', () => {
  test('a changed token is dead and the new one alive at every replica once the change is known', async () => {
    const replica = await around.startReplica()
    const one = await around.addUser()
    expect((await post(replica, one.token, message)).status).toBe(200)
    await around.change(one, (config) => ({
      ...config,
      webhook: { ...config.webhook, tokenHash: tokenHashOf('the new one') },
    }))
    expect((await around.post(one.token, message)).status).toBe(404)
    expect((await around.post('the new one', message)).status).toBe(200)
    expect((await post(replica, one.token, message)).status).toBe(404)
    expect((await post(replica, 'the new one', message)).status).toBe(200)
  })

  test('a removed user has no webhook, and the answer is the one of a token that never was', async () => {
    const one = await around.addUser()
    await around.remove(one)
    const removed = await around.post(one.token, message)
    const never = await around.post('never', message)
    expect(removed.status).toBe(404)
    expect(removed.body).toEqual(never.body)
  })

  test("another user's bot is unknown", async () => {
    const other = await around.addUser()
    await around.change(other, (config) => ({
      ...config,
      bots: config.bots.map((bot) => ({ ...bot, label: `Other ${bot.label}` })),
    }))
    const { status, body } = await around.post(user.token, 'Other MyBot(BTCUSDT) { balance }')
    // The longest label of one's own that fits is found, never one of somebody else.
    expect(status).toBe(200)
    expect(body.results[0].label).toBe('MyBot')
  })
})
