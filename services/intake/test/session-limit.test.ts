import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { startAuth, type TestAuth } from './auth.ts'
import { post, type Reply, type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const typo = 'MyBot(BTCUSDT) { market(up, 1) }'
const exit = 'MyBot(BTCUSDT) { market(position=0) }'

let around: Surroundings
let auth: TestAuth
beforeAll(async () => {
  around = await surroundings({ SESSION_MESSAGES_PER_MINUTE: '4', REFUSED_PER_MINUTE: '8' })
  await around.execute()
  auth = await startAuth(around.nats)
})
afterAll(async () => await around.stop())

interface Owner {
  user: TestUser
  /** Sends as the Terminal does. */
  send: (text: string) => Promise<Reply>
  /** Sends as a charting platform does. */
  alert: (text: string) => Promise<Reply>
}

async function owner(changes?: Parameters<Surroundings['addUser']>[0]): Promise<Owner> {
  const user = await around.addUser({ maxRequestsPerMinute: 2, ...changes })
  const bearer = await auth.tokenOf(user.config.userId)
  return {
    user,
    send: async (text) => await around.post(user.token, text, { bearer }),
    alert: async (text) => await around.post(user.token, text),
  }
}

async function times(count: number, one: () => Promise<Reply>): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < count; time++) statuses.push((await one()).status)
  return statuses
}

describe('works', () => {
  test('messages of the session of the owner use up nothing of the limit of alerts, nor alerts of theirs', async () => {
    const { send, alert } = await owner()
    expect(await times(3, async () => await send(message))).toEqual([200, 200, 200])
    expect(await times(3, async () => await alert(message))).toEqual([200, 200, 429])
    expect(await times(2, async () => await send(message))).toEqual([200, 429])
  })

  test('an unreadable message costs the owner nothing, and the usage shows both counts', async () => {
    const { user, send, alert } = await owner()
    expect(await times(5, async () => await send(typo))).toEqual([400, 400, 400, 400, 400])
    await send(message)
    await times(2, async () => await alert(message))
    await waitFor(async () => {
      const { usedLastMinute, session } = await around.usageOf(user.config.userId)
      return usedLastMinute === 2 && session?.usedLastMinute === 1
    })
    expect((await around.usageOf(user.config.userId)).session).toEqual({ usedLastMinute: 1, maxPerMinute: 4 })
    expect(await times(4, async () => await send(message))).toEqual([200, 200, 200, 429])
  })

  test('an alert of an active webhook is counted as one while auth cannot be asked whose token it has', async () => {
    const away = await surroundings()
    try {
      await away.execute()
      const user = await away.addUser({ maxRequestsPerMinute: 1 })
      const bearer = await auth.tokenOf(user.config.userId)
      const send = async (): Promise<Reply> => await away.post(user.token, message, { bearer })
      expect(await times(2, send)).toEqual([200, 429])
      await away.change(user, (config) => ({ ...config, webhook: { ...config.webhook, isActive: false } }))
      expect((await send()).status).toBe(503)
    } finally {
      await away.stop()
    }
  })
})

describe('refuses', () => {
  test('one more than the session may send, with its limit, and exits pass beyond it', async () => {
    const { user, send } = await owner()
    await times(4, async () => await send(message))
    const refused = await send(message)
    expect(refused.status).toBe(429)
    expect(refused.body.error).toMatch(
      /^More than 4 messages in a minute from your own session\. Nothing was executed\. Try again in \d+ s\./,
    )
    const event = await waitFor(async () => (await around.refusalsOf(user))[0])
    const error = "1 alert refused by your session's limit of 4 a minute. Nothing was executed."
    expect(event).toMatchObject({ alertId: refused.body.alert_id, error })
    expect((await send(exit)).status).toBe(200)
  })

  test('the session of another user, whose messages count as alerts', async () => {
    const { user } = await owner()
    const bearer = await auth.tokenOf('0193f5a0-0000-7000-8000-00000000b0b0')
    const send = async (): Promise<Reply> => await around.post(user.token, message, { bearer })
    expect(await times(3, send)).toEqual([200, 200, 429])
  })
})

describe('protects', () => {
  test('typos of the session are bounded, and shut out neither alerts nor, of alerts, the session', async () => {
    const { user, send, alert } = await owner({ maxRequestsPerMinute: 60 })
    const shutOut = async (one: () => Promise<Reply>): Promise<Reply> =>
      await waitFor(async () => {
        const reply = await one()
        return reply.status === 429 && reply
      })
    const session = await shutOut(async () => await send(typo))
    expect(session.body.error).toMatch(
      /^More than 8 messages from your own session were refused in a minute\./,
    )
    expect((await alert(message)).status).toBe(200)

    around.advance(60_000)
    const outside = await shutOut(async () => await alert(typo))
    expect(outside.body.error).toMatch(/^More than 8 alerts at this webhook were refused in a minute\./)
    const long = message.padEnd(2000)
    expect((await alert(long)).status).toBe(429)
    expect((await send(long)).status).toBe(200)
    const bearer = await auth.tokenOf(user.config.userId, { expiresIn: '-1 second' })
    expect((await post(around.intake, user.token, long, { bearer })).status).toBe(429)
  })

  test('a body that is too large counts towards the refusals of the session', async () => {
    const { send, alert } = await owner({ maxRequestsPerMinute: 60 })
    const large = 'x'.repeat(70_000)
    const seen = await times(12, async () => await send(large))
    expect(seen.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 413))
    await waitFor(async () => (await send(large)).status === 429)
    expect((await alert(message.padEnd(2000))).status).toBe(200)
  })
})
