import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { storedTokenMask } from '@tripline/proto/http/notification'
import { callerOf } from '@tripline/testkit/people/caller'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { type TestTelegram, telegram } from '@tripline/testkit/telegram'
import { waitFor } from '@tripline/testkit/wait-for'

const buy = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
let stand: TestTelegram
let product: Product
let ada: Trader
let bob: Trader
let botId: string
beforeAll(async () => {
  stand = await telegram()
  product = await startProduct({ ephemeral: true, env: { TELEGRAM_API_URL: stand.url } })
  ;[ada, bob] = await Promise.all([newTrader(product), newTrader(product)])
  const { body } = await call(ada, 'GET', '/api/keys')
  botId = (body as { id: string }[])[0]?.id ?? ''
}, 120_000)
afterAll(async () => {
  await product.stop()
  await stand.stop()
})

async function call(trader: Trader, method: string, path: string, body?: object) {
  return await callerOf(product.urls.web)(`${method} ${path}`, { token: trader.accessToken, body })
}

const textsFrom = (token: string): string =>
  stand.messages
    .filter((message) => message.token === token)
    .map(({ text }) => text)
    .join('\n')

test('a Paper key is tried at the paper exchange and found well', async () => {
  // On a machine under load a test may take longer than it is waited for.
  const { body } = await waitFor(async () => {
    const answer = await call(ada, 'POST', `/api/keys/${botId}/test`)
    return answer.status === 200 && answer
  })
  expect(body).toMatchObject({ success: true, message: 'API key is valid and working', error: null })
  expect(body.checks).toHaveLength(6)
})

describe('notifications', () => {
  const token = `123456789:${randomUUID()}`

  test('report trades and errors by Telegram, once a test message has arrived', async () => {
    stand.addBot(token, '4711')
    const settings = { telegram_enabled: true, telegram_bot_token: token, telegram_chat_id: '4711' }
    const saved = await call(ada, 'PUT', '/api/notifications', settings)
    expect(saved.body).toMatchObject({ ...settings, telegram_bot_token: storedTokenMask, last_error: null })
    const tested = await call(ada, 'POST', '/api/notifications/test')
    expect(tested).toMatchObject({ status: 200, body: { success: true, error: null } })
    await ada.send(buy, '?wait=20000')
    await ada.send('MyBot(BTCUSDT) { market(buy, 100000) }', '?wait=20000')
    await waitFor(() => /MyBot BTCUSDT market buy 0\.01 at/.test(textsFrom(token)))
    await waitFor(() => /MyBot BTCUSDT market failed: E5/.test(textsFrom(token)))
    expect(textsFrom(token)).not.toContain('filled')
  })

  test('that cannot be sent say why to their owner, and to nobody else', async () => {
    stand.setFault(token, { status: 401, description: 'Unauthorized' })
    expect(await call(ada, 'POST', '/api/notifications/test')).toMatchObject({
      status: 200,
      body: { success: false, error: 'Telegram does not know this bot token' },
    })
    const own = await call(ada, 'GET', '/api/notifications')
    expect(own.body.last_error).toBe('Telegram does not know this bot token')
    expect((await call(bob, 'GET', '/api/notifications')).body).toMatchObject({
      telegram_bot_token: null,
      telegram_chat_id: null,
      last_error: null,
    })
    stand.clearFault(token)
  })
})

describe('trading settings', () => {
  test('hold all bots of a user while they are paused, and nobody else', async () => {
    await call(ada, 'PUT', '/api/trading-state', { state: 'reducing' })
    await waitFor(async () => (await ada.send(buy, '?wait=20000')).body['status'] === 'failed')
    expect((await bob.send(buy, '?wait=20000')).body).toMatchObject({ status: 'success' })
    await call(ada, 'PUT', '/api/trading-state', { state: 'active' })
    await waitFor(async () => (await ada.send(buy, '?wait=20000')).body['status'] === 'success')
  })
})

describe('a webhook with a new address', () => {
  test('is dead at its old one as soon as the new one is known', async () => {
    const answer = await call(bob, 'POST', '/api/webhook-config/regenerate', { confirm: true })
    expect(answer.status).toBe(200)
    await waitFor(async () => (await bob.send(buy)).status === 404)
    const { pathname } = new URL(answer.body.webhook_url)
    const alert = await fetch(new URL(`${pathname}?wait=20000`, product.urls.web), {
      method: 'POST',
      body: buy,
    })
    expect(await alert.json()).toMatchObject({ status: 'success' })
  })
})

describe('a key', () => {
  test.each([
    ['PUT', '', { label: 'Stolen' }],
    ['DELETE', '', undefined],
    ['POST', '/test', undefined],
    ['POST', '/reset', undefined],
    ['GET', '/trading', undefined],
    ['PUT', '/trading', { state: 'halted' }],
  ] as [string, string, object | undefined][])(
    'is not there for anybody else: %s /api/keys/{id}%s',
    async (method, path, body) => {
      for (const id of [botId, randomUUID()]) {
        expect(await call(bob, method, `/api/keys/${id}${path}`, body)).toMatchObject({ status: 404 })
      }
    },
  )

  test('goes by its new name, and once it is unlinked by none', async () => {
    const renamed = await call(ada, 'PUT', `/api/keys/${botId}`, { label: 'Renamed' })
    expect(renamed).toMatchObject({ status: 200, body: { id: botId, label: 'Renamed' } })
    const alert = buy.replace('MyBot', 'Renamed')
    await waitFor(async () => (await ada.send(alert, '?wait=20000')).body['status'] === 'success')
    expect((await call(ada, 'DELETE', `/api/keys/${botId}`)).status).toBe(204)
    await waitFor(async () => (await ada.send(alert)).body['error_code'] === 'E201')
    expect((await call(ada, 'GET', '/api/keys')).body).toEqual([])
  })
})
