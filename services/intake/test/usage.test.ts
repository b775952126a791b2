import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { UserId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { post, type Surroundings, surroundings, tokenHashOf } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const unusedSession = { usedLastMinute: 0, maxPerMinute: 60 }
const tradingview = '52.89.214.238'

let around: Surroundings
beforeAll(async () => {
  around = await surroundings()
  await around.execute()
})
afterAll(async () => await around.stop())

describe('works', () => {
  test('counts the alerts that still count towards the limit, over all replicas', async () => {
    const { token, config } = await around.addUser({ maxRequestsPerMinute: 3 })
    const { userId } = config
    expect(await around.usageOf(userId)).toEqual({ usedLastMinute: 0, senders: [], session: unusedSession })
    const replica = await around.startReplica()
    await around.post(token, message)
    around.advance(30_000)
    await post(replica, token, message)
    await around.post(token, message)
    // The fourth is refused, and does not count.
    expect((await around.post(token, message)).status).toBe(429)
    await waitFor(async () => (await around.usageOf(userId)).usedLastMinute === 3)
    around.advance(30_000)
    expect((await around.usageOf(userId)).usedLastMinute).toBe(2)
    around.advance(60_000)
    expect((await around.usageOf(userId)).usedLastMinute).toBe(0)
  })

  test('returns the last ten addresses that called, newest first, and which are of TradingView', async () => {
    const { token, config } = await around.addUser()
    for (let address = 1; address <= 11; address++) {
      await around.post(token, message, { from: `203.0.113.${address}` })
      around.advance(1000)
    }
    await around.post(token, message, { from: tradingview })
    const { senders } = await around.usageOf(config.userId)
    expect(senders.map(({ address }) => address)).toEqual([
      tradingview,
      ...[11, 10, 9, 8, 7, 6, 5, 4, 3].map((address) => `203.0.113.${address}`),
    ])
    expect(senders.filter(({ isTradingview }) => isTradingview)).toEqual([senders[0]])
    const [newest, before] = senders
    expect((newest?.seenAt ?? 0) - (before?.seenAt ?? 0)).toBeGreaterThanOrEqual(999)
  })

  test('returns also the callers that are refused', async () => {
    const { token, config } = await around.addUser({ isActive: false })
    await around.post(token, message, { from: '203.0.113.20' })
    await around.post(token, 'x'.repeat(70_000), { from: '203.0.113.21' })
    // Nobody waits for the note of who called.
    const { senders, usedLastMinute } = await waitFor(async () => {
      const usage = await around.usageOf(config.userId)
      return usage.senders.length > 1 && usage
    })
    expect(senders.map(({ address }) => address)).toEqual(['203.0.113.21', '203.0.113.20'])
    expect(usedLastMinute).toBe(0)
  })

  test('begins anew with a new address of the webhook', async () => {
    const user = await around.addUser()
    await around.post(user.token, message)
    expect((await around.usageOf(user.config.userId)).usedLastMinute).toBe(1)
    await around.change(user, (config) => ({
      ...config,
      webhook: { ...config.webhook, tokenHash: tokenHashOf('another') },
    }))
    expect(await around.usageOf(user.config.userId)).toEqual({
      usedLastMinute: 0,
      senders: [],
      session: unusedSession,
    })
  })

  test('returns the counts of this replica while Redis is away', async () => {
    const alone = await surroundings()
    try {
      await alone.execute()
      const { token, config } = await alone.addUser()
      alone.redisWire.cut()
      await alone.post(token, message)
      expect(await alone.usageOf(config.userId)).toEqual({
        usedLastMinute: 1,
        senders: [],
        session: unusedSession,
      })
    } finally {
      await alone.stop()
    }
  })
})

test("a user without a webhook has no use, and sees nothing of another's", async () => {
  const userId = UserId.parse(randomUUID())
  expect(await around.usageOf(userId)).toEqual({ usedLastMinute: 0, senders: [] })
})
