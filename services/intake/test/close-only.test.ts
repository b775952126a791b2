import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { StoredAlert } from '@tripline/proto/alert'
import type { BotId } from '@tripline/proto/id'
import { alertSubject } from '@tripline/proto/subject'
import type { BotConfig } from '@tripline/proto/user-config'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Surroundings, surroundings, type TestUser, tokenHashOf } from './surroundings.ts'

let around: Surroundings
beforeAll(async () => {
  around = await surroundings()
  await around.execute()
})
afterAll(async () => await around.stop())

interface CloseOnlyUser extends TestUser {
  closeOnly: string
  bot: BotConfig
}

/** A user of whose bots MyBot has a close-only address; others of these labels are linked besides. */
async function addUser(labels: readonly string[] = [], changes = {}): Promise<CloseOnlyUser> {
  const user = await around.addUser(changes)
  const closeOnly = randomBytes(24).toString('base64url')
  await around.change(user, (config) => ({
    ...config,
    bots: [
      ...config.bots.map((bot) =>
        bot.label === 'MyBot' ? { ...bot, closeOnlyTokenHash: tokenHashOf(closeOnly) } : bot,
      ),
      ...labels.flatMap((label) =>
        config.bots.slice(0, 1).map((bot) => ({ ...bot, id: randomUUID() as BotId, label })),
      ),
    ],
  }))
  const bot = user.config.bots.find(({ label }) => label === 'MyBot')
  if (bot === undefined) throw new Error('no bot')
  return { ...user, closeOnly, bot }
}

const close = 'MyBot(BTCUSDT) { market(position=0) }'

describe('a close-only address', () => {
  test('takes alerts of its bot, and marks them so that they can only close', async () => {
    const user = await addUser()
    const reply = await around.post(user.closeOnly, close)
    expect(reply).toMatchObject({ status: 200, body: { status: 'success' } })
    await around.post(user.token, close)
    const { userId } = user.config
    const ops = await around.nats.connect('ops')
    const stored = await readStored(ops, {
      stream: 'ALERTS',
      filter: alertSubject(userId),
      start: { from: 'sequence', sequence: 1 },
    })
    const texts = stored.map(({ text }) => JSON.parse(text))
    expect(texts.map(({ closeOnlyBotId }) => closeOnlyBotId)).toEqual([user.bot.id, undefined])
    // The blocks name no bot, so that an executor without close-only addresses finds none.
    expect(texts.map(({ blocks }) => blocks[0].botId === user.bot.id)).toEqual([false, true])
    expect(texts.map((text) => StoredAlert.parse(text))).toMatchObject([
      { isCloseOnly: true, blocks: [{ botId: user.bot.id }] },
      { blocks: [{ botId: user.bot.id }] },
    ])
  })

  test.each([
    ['another bot of its owner', 'Spot1(BTCUSDT) { market(sell, 100%) }'],
    ['a bot that nobody has', 'Nobody(BTCUSDT) { market(position=0) }'],
    ['another bot beside its own', `${close} Spot1(BTCUSDT) { market(sell, 100%) }`],
    ['another bot whose label ends with that of its own', 'The MyBot(BTCUSDT) { market(position=0) }'],
    ['another bot in JSON', { bot: 'Spot1', symbol: 'BTCUSDT', commands: [{ type: 'market', position: 0 }] }],
  ])('refuses an alert for %s as for an unknown bot, and nothing of it is stored', async (_name, message) => {
    const user = await addUser(['The MyBot'])
    const { status, body } = await around.post(user.closeOnly, message)
    expect([status, body.error_code ?? body]).toEqual([400, 'E201'])
    expect(body.error).toContain('This close-only address is for MyBot alone')
    expect(JSON.stringify(body)).not.toContain('Your bots are')
    expect(await around.alertsOf(user)).toEqual([])
  })

  test('says of no other bot that it is there', async () => {
    const user = await addUser(['Secret'])
    const messageOf = async (label: string): Promise<string> =>
      JSON.stringify((await around.post(user.closeOnly, `${label}(BTCUSDT) { market(position=0) }`)).body)
        .replaceAll(label, 'it')
        .replace(/"alert_id":"[^"]*"/, '')
    expect(await messageOf('Secret')).toBe(await messageOf('Nobody'))
    expect(await messageOf('Secre')).not.toContain('Secret')
  })

  test('of another user reaches nothing of this one', async () => {
    const [mine, theirs] = [await addUser(['Only Mine']), await addUser()]
    expect((await around.post(theirs.closeOnly, 'Only Mine(BTCUSDT) { market(position=0) }')).status).toBe(
      400,
    )
    expect(await around.alertsOf(mine)).toEqual([])
  })

  test('is unknown once it was replaced, taken away, or gone with its bot', async () => {
    const user = await addUser()
    const next = randomBytes(24).toString('base64url')
    await around.change(user, (config) => ({
      ...config,
      bots: config.bots.map((bot) =>
        bot.id === user.bot.id ? { ...bot, closeOnlyTokenHash: tokenHashOf(next) } : bot,
      ),
    }))
    const unknown = await around.post(randomBytes(24).toString('base64url'), close)
    expect((await around.post(user.closeOnly, close)).body).toEqual(unknown.body)
    expect((await around.post(next, close)).status).toBe(200)
    await around.change(user, (config) => ({
      ...config,
      bots: config.bots.filter(({ id }) => id !== user.bot.id),
    }))
    expect((await around.post(next, close)).status).toBe(404)
    expect((await around.post(user.token, 'Spot1(BTCUSDT) { market(sell, 100%) }')).status).toBe(200)
  })

  test('has a rate of its own: a flood at the webhook locks no exit out, nor the other way round', async () => {
    const user = await addUser([], { maxRequestsPerMinute: 3 })
    const statuses = async (token: string): Promise<number[]> => {
      const replies: number[] = []
      for (let at = 0; at < 4; at++)
        replies.push((await around.post(token, `MyBot(BTCUSDT) { market(sell, 0.0${at + 1}) }`)).status)
      return replies
    }
    expect(await statuses(user.token)).toEqual([200, 200, 200, 429])
    expect(await statuses(user.closeOnly)).toEqual([200, 200, 200, 429])
  })

  test('follows the switch, the format and the origin of the webhook', async () => {
    const user = await addUser([], { isActive: false })
    expect((await around.post(user.closeOnly, close)).status).toBe(409)
    await around.change(user, (config) => ({
      ...config,
      webhook: { ...config.webhook, isActive: true, onlyTradingview: true },
    }))
    expect(await around.post(user.closeOnly, close, { from: '203.0.113.9' })).toMatchObject({
      status: 422,
      body: { error_code: 'E404' },
    })
  })

  test('has ids of its own: one that the webhook has seen is new here, and known when it comes again', async () => {
    const user = await addUser()
    const body = `@id once\n${close}`
    expect((await around.post(user.token, body)).body).not.toHaveProperty('duplicate')
    expect((await around.post(user.closeOnly, body)).body).not.toHaveProperty('duplicate')
    expect((await around.post(user.closeOnly, body)).body).toMatchObject({ duplicate: true })
  })

  test('leaves its refusals in the history of its bot, as come at the close-only address', async () => {
    const user = await addUser()
    await around.post(user.closeOnly, 'Spot1(BTCUSDT) { market(buy, 1) }')
    const [event] = await waitFor(async () => {
      const events = await around.refusalsOf(user)
      return events.length > 0 && events
    })
    expect(event).toMatchObject({ botId: user.bot.id, label: 'MyBot', isCloseOnly: true, errorCode: 'E201' })
  })

  test('of a bot that a newer version wrote says so', async () => {
    const user = await addUser()
    await around.change(user, (config) => ({
      ...config,
      bots: config.bots.map((bot) =>
        bot.id === user.bot.id ? { ...bot, exchange: 'newer' as 'paper' } : bot,
      ),
    }))
    expect(await around.post(user.closeOnly, close)).toMatchObject({
      status: 422,
      body: { error_code: 'E404' },
    })
  })
})
