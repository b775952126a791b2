import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { readOpeningKeys, unseal } from '@tripline/kit/crypto/seal'
import { storedTokenMask } from '@tripline/proto/http/notification'
import { botTokenContext } from '@tripline/proto/notification'
import { updateNotificationSettings } from '@tripline/proto/notification-request'
import { ada, bob, type GatewayFixture, notifierPair, sealingPair, startFixture } from './gateway-fixture.ts'

const botToken = '123456789:CANARY-bot_token-0123456789'
let gateway: GatewayFixture
let token: string
beforeAll(async () => {
  gateway = await startFixture()
  token = gateway.token(ada)
})
afterAll(async () => await gateway.stop())
beforeEach(() => {
  gateway.peers.notifications.clear()
  gateway.peers.deliveryErrors.clear()
})

const get = async () => await gateway.call('/api/notifications', { token })
const put = async (body: object) => await gateway.call('/api/notifications', { method: 'PUT', token, body })
const fieldsOf = (body: unknown): string[] =>
  (body as { detail: { field: string }[] }).detail.map(({ field }) => field)
const lastAsked = () => {
  const isIt = (asked: { subject: string }) => asked.subject === updateNotificationSettings.subject
  return updateNotificationSettings.asked.parse(gateway.peers.asked.findLast(isIt)?.value)
}

describe('/api/notifications works', () => {
  test('nothing is set at first', async () => {
    expect(await get()).toMatchObject({
      status: 200,
      body: {
        telegram_enabled: false,
        telegram_bot_token: null,
        telegram_chat_id: null,
        last_error: null,
        last_error_at: null,
      },
    })
  })

  test('a stored token is shown as a mask, which keeps it when it is sent back; null and nothing delete it', async () => {
    const body = { telegram_enabled: true, telegram_bot_token: ` ${botToken} `, telegram_chat_id: '-100123' }
    const masked = { ...body, telegram_bot_token: storedTokenMask }
    expect(storedTokenMask.length).toBeGreaterThan(10)
    expect(await put(body)).toMatchObject({ status: 200, body: masked })
    expect(await get()).toMatchObject({ body: masked })
    expect(await put(masked)).toMatchObject({ body: masked })
    expect(lastAsked().sealedToken).toBeUndefined()
    expect(await put({ telegram_enabled: false })).toMatchObject({
      body: { ...masked, telegram_enabled: false },
    })
    expect(await put({ telegram_chat_id: null })).toMatchObject({ body: { telegram_chat_id: null } })
    expect(await put({ telegram_bot_token: null })).toMatchObject({ body: { telegram_bot_token: null } })
    await put(body)
    expect(await put({ telegram_bot_token: '', telegram_chat_id: ' ' })).toMatchObject({
      body: { telegram_bot_token: null, telegram_chat_id: null },
    })
  })

  test('the owner sees why messages do not arrive', async () => {
    gateway.peers.deliveryErrors.set(ada.sub, 'Telegram does not know this bot token')
    expect(await get()).toMatchObject({
      body: {
        last_error: 'Telegram does not know this bot token',
        last_error_at: '2026-11-21T12:00:00.000Z',
      },
    })
  })
})

describe('/api/notifications refuses', () => {
  test.each([
    ['telegram_bot_token', 'short'],
    ['telegram_bot_token', '123456789/../getMe?x='],
    ['telegram_bot_token', '••••••••••••'],
    ['telegram_bot_token', `1:${'x'.repeat(200)}`],
    ['telegram_chat_id', '@channel'],
    ['telegram_chat_id', '12.5'],
    ['telegram_chat_id', 42],
    ['telegram_enabled', 'yes'],
  ])('%s: %j', async (field, value) => {
    const answer = await put({ [field]: value })
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
    expect(new Set(fieldsOf(answer.body))).toEqual(new Set([field]))
    expect(gateway.peers.notifications.size).toBe(0)
  })
})

describe('a bot token', () => {
  test('is sealed for the notifier and this user before it enters the bus, and returned to nobody', async () => {
    const received: string[] = []
    const ops = await gateway.nats.connect('ops')
    ops.connection.subscribe('>', { callback: (_error, message) => received.push(message.string()) })
    await ops.connection.flush()
    const answers = [await put({ telegram_bot_token: botToken }), await get()]
    answers.push(await put({ telegram_bot_token: botToken, telegram_chat_id: 'nonsense' }))
    await ops.connection.flush()
    expect(received.length).toBeGreaterThan(0)
    expect(JSON.stringify([received, answers.map(({ body }) => body)])).not.toMatch(/CANARY/)
    const sealed = lastAsked().sealedToken ?? ''
    const open = (pair: typeof notifierPair, userId = ada.sub): string =>
      unseal(readOpeningKeys(pair.privateText), sealed, botTokenContext(userId))
    expect(open(notifierPair)).toBe(botToken)
    expect(() => open(sealingPair)).toThrow()
    expect(() => open(notifierPair, bob.sub)).toThrow()
  })

  test("another user's is neither shown nor changed", async () => {
    await put({ telegram_bot_token: botToken, telegram_chat_id: '1' })
    const other = { token: gateway.token(bob) }
    expect(await gateway.call('/api/notifications', other)).toMatchObject({
      body: { telegram_bot_token: null, telegram_chat_id: null },
    })
    await gateway.call('/api/notifications', { ...other, method: 'PUT', body: { telegram_bot_token: null } })
    expect(await get()).toMatchObject({ body: { telegram_bot_token: storedTokenMask } })
  })
})

describe('POST /api/notifications/test', () => {
  const sendTest = async () => await gateway.call('/api/notifications/test', { method: 'POST', token })

  test('returns whether the message was sent', async () => {
    await put({ telegram_bot_token: botToken, telegram_chat_id: '1' })
    expect(await sendTest()).toMatchObject({
      status: 200,
      body: { success: true, message: 'Test message sent', error: null },
    })
    gateway.peers.deliveryErrors.set(ada.sub, 'Telegram does not know this chat')
    expect(await sendTest()).toMatchObject({
      status: 200,
      body: {
        success: false,
        message: 'Failed to send test message',
        error: 'Telegram does not know this chat',
      },
    })
  })

  test('is refused while nothing is configured', async () => {
    expect(await sendTest()).toMatchObject({
      status: 409,
      body: { detail: 'Telegram notifications are not configured' },
    })
  })
})

test('settings are returned also while the notifier is away', async () => {
  await put({ telegram_bot_token: botToken })
  gateway.peers.leave('notifier')
  expect(await get()).toMatchObject({
    status: 200,
    body: { telegram_bot_token: storedTokenMask, last_error: null },
  })
})
