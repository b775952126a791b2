import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Bus } from '@tripline/kit/bus/bus'
import type { HttpService } from '@tripline/kit/lifecycle'
import { waitFor } from '@tripline/testkit/wait-for'
import { succeed } from './executor.ts'
import { post, type Reply, type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const settings = { COMMANDS_PER_MINUTE: '20', STORED_BYTES_PER_DAY: '150000' }

/** A message of one block with so many commands. */
function commandsOf(count: number): string {
  return `MyBot(BTCUSDT) { ${Array.from({ length: count }, () => 'balance;').join(' ')} }`
}

let around: Surroundings
let isExecuting = true
/** The ms that intake's clock is ahead. */
let aheadMs = 0

function advance(ms: number): void {
  aheadMs += ms
  around.advance(ms)
}

beforeAll(async () => {
  around = await surroundings(settings)
  // Noon of tomorrow: far from the end of a day.
  advance(1.5 * dayMs - (Date.now() % dayMs))
  await around.execute((alert) => (isExecuting ? succeed(alert) : undefined))
})
// A second into a minute: its quota ends for no test in the middle, however long those before it took.
beforeEach(() => advance(minuteMs + 1000 - ((Date.now() + aheadMs) % minuteMs)))
afterAll(async () => await around.stop())

describe('a user', () => {
  test('may have so many commands stored in a minute, over all replicas, and more in the next one', async () => {
    const user = await around.addUser()
    const replica = await around.startReplica()
    expect((await around.post(user.token, commandsOf(10))).status).toBe(200)
    expect((await post(replica, user.token, commandsOf(9))).status).toBe(200)
    const refused = await post(replica, user.token, commandsOf(2))
    expect([refused.status, refused.body.error_code]).toEqual([429, 'rate_limited'])
    expect(refused.body.error).toMatch(/^More than 20 commands in a minute\. Nothing was executed\./)
    expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after))
    expect((await around.post(user.token, commandsOf(2))).status).toBe(429)
    expect((await around.post(user.token, commandsOf(1))).status).toBe(200)
    expect(await around.alertsOf(user)).toHaveLength(3)
    const [event] = await waitFor(async () => {
      const refusals = await around.refusalsOf(user)
      return refusals.length > 0 && refusals
    })
    expect(event).toMatchObject({
      error: '1 alert refused by the limit of 20 commands a minute. Nothing was executed.',
      message: '',
    })
    advance(minuteMs)
    expect((await around.post(user.token, commandsOf(10))).status).toBe(200)
  })

  test('may have so much stored in a day, and the refusal says when the next one begins', async () => {
    const user = await around.addUser()
    const replies: Reply[] = []
    for (let minute = 0; minute < 4; minute++) {
      replies.push(await around.post(user.token, commandsOf(11)))
      advance(minuteMs)
    }
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(replies[3]?.body.error).toMatch(/^Alerts and their events have taken 150000 bytes today/)
    expect(replies[3]?.body.retry_after).toBeGreaterThan(0)
    advance(dayMs)
    expect((await around.post(user.token, commandsOf(11))).status).toBe(200)
  })

  test('is notified once, whatever replica takes the alerts, when four fifths of a day are spent', async () => {
    const user = await around.addUser()
    const replica = await around.startReplica()
    const noticesOf = async () => (await around.refusalsOf(user)).filter(({ notice }) => notice === 'quota')
    const statuses: number[] = []
    for (let minute = 0; minute < 5; minute++) {
      const taker = minute % 2 === 0 ? around.intake : replica
      // Four fifths are 120,000 bytes, of which two thirds are spent by then.
      if (minute === 2) expect(await noticesOf()).toEqual([])
      statuses.push((await post(taker, user.token, commandsOf(10))).status)
      advance(minuteMs)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const notices = await waitFor(async () => {
      const stored = await around.refusalsOf(user)
      return (
        ['quota', 'rate_limited'].every((code) => stored.some(({ errorCode }) => errorCode === code)) &&
        stored
      )
    })
    expect(notices.filter(({ notice }) => notice === 'quota')).toEqual([
      expect.objectContaining({
        message: '',
        botId: null,
        error: expect.stringMatching(/^Alerts and their events have taken 80% of the 150000 bytes/),
      }),
    ])
  })

  test('who has spent a minute or a day may still close and cancel, up to a part that is reserved for that', async () => {
    const user = await around.addUser()
    const replica = await around.startReplica({ STORED_BYTES_PER_DAY: '1000000' })
    const send = async (commands: string): Promise<Reply> =>
      await post(replica, user.token, `MyBot(BTCUSDT) { ${commands} }`)
    expect((await post(replica, user.token, commandsOf(20))).status).toBe(200)
    const refused = await send('market(buy, 0.01)')
    expect(refused.status).toBe(429)
    expect(refused.body.error).toMatch(/An alert that only closes or cancels is still taken\.$/)
    expect((await send('cancel; market(buy, 0.01)')).status).toBe(429)
    expect((await send('balance')).status).toBe(429)
    expect((await send('market(position=0)')).status).toBe(200)
    expect((await send('cancel; market(sell, 100%, reduceOnly=true)')).status).toBe(200)
    expect((await send('sltp(amount=100%p, sl=58000); wait(1)')).status).toBe(200)
    const spent = await send('market(position=0)')
    expect(spent.status).toBe(429)
    expect(spent.body.error).toMatch(
      /^More than 25 commands in a minute\. Nothing was executed\. Try again in \d+ s\.$/,
    )

    const ofDay = await around.addUser()
    for (let minute = 0; minute < 3; minute++) {
      await around.post(ofDay.token, commandsOf(11))
      advance(minuteMs)
    }
    expect((await around.post(ofDay.token, commandsOf(11))).status).toBe(429)
    expect(
      (
        await around.post(
          ofDay.token,
          'MyBot(BTCUSDT) { market(position=0); market(position=0); market(position=0); market(position=0); market(position=0) }',
        )
      ).status,
    ).toBe(200)
  })

  test('may have so much waiting, and nobody else is held up', async () => {
    const [user, other] = [await around.addUser(), await around.addUser()]
    const replica = await around.startReplica({ COMMANDS_WAITING: '12' })
    isExecuting = false
    try {
      expect((await post(replica, user.token, commandsOf(10), { wait: 0 })).status).toBe(202)
      const refused = await post(replica, user.token, commandsOf(3), { wait: 0 })
      expect(refused.status).toBe(429)
      expect(refused.body.error).toMatch(/^More than 12 commands would wait to be executed\./)
      expect(
        (await post(replica, user.token, 'MyBot(BTCUSDT) { cancel; market(position=0) }', { wait: 0 }))
          .status,
      ).toBe(202)
      expect((await post(replica, other.token, commandsOf(10), { wait: 0 })).status).toBe(202)
      // Done, though its result reached nobody.
      await around.emptyLane(user)
      expect((await post(replica, user.token, commandsOf(3), { wait: 0 })).status).toBe(202)
    } finally {
      isExecuting = true
    }
  })

  test('whose refusals have taken all they may is notified how many others there were, and alerts are run', async () => {
    const user = await around.addUser()
    const replica = await around.startReplica({ REFUSED_BYTES_PER_DAY: '4000' })
    const wrong = `MyBot(BTCUSDT) { market(up, 1) } ${'x'.repeat(2000)}`
    const refused = new Set<string>()
    for (let sent = 0; sent < 10; sent++) {
      const { status, body } = await post(replica, user.token, wrong)
      expect([status, body.error_code]).toEqual([400, 'E301'])
      refused.add(body.alert_id)
    }
    const events = await waitFor(async () => {
      const stored = await around.refusalsOf(user)
      return stored.some(({ errorCode }) => errorCode === 'rate_limited') && stored
    })
    const detailed = events.filter(({ errorCode }) => errorCode === 'E301')
    expect(detailed.length).toBeLessThan(4)
    expect(events.at(-1)?.error).toBe(
      '1 alert refused by what is wrong with them, beyond the 4000 bytes a day for which each is reported. Nothing was executed.',
    )
    // Those that are recorded in full, the first one that is counted, and the row of all others.
    expect(refused.size).toBe(detailed.length + 2)
    expect((await post(replica, user.token, commandsOf(1))).status).toBe(200)
  })

  test('is not refused for alerts that are done', async () => {
    const user = await around.addUser()
    const replica = await around.startReplica({ COMMANDS_WAITING: '12' })
    for (let minute = 0; minute < 3; minute++) {
      expect((await post(replica, user.token, commandsOf(10))).status).toBe(200)
      // As an executor does once all is published.
      await around.emptyLane(user)
      advance(minuteMs)
    }
  })
})

describe('while the stream of alerts fills', () => {
  const roomBytes = 4 * 1024 ** 2
  // Not one of those that are small.
  const order = 'limit(buy, 0.01, 60000);'
  const large = ['BTCUSDT', 'ETHUSDT'].map((symbol) => `MyBot(${symbol}) { ${order.repeat(40)} }`).join('\n')
  let small: Surroundings
  let ops: Bus
  let intake: HttpService
  beforeAll(async () => {
    small = await surroundings({
      EXPECTED_USERS: '40',
      COMMANDS_PER_MINUTE: '1000000',
      COMMANDS_WAITING: '1000000',
    })
    ops = await small.nats.connect('ops')
    await ops.manager.streams.update('ALERTS', { max_bytes: roomBytes })
    intake = await small.startReplica()
  })
  afterAll(async () => await small.stop())

  const usedPart = async (): Promise<number> => {
    const { state } = await ops.manager.streams.info('ALERTS')
    return state.bytes / roomBytes
  }
  const send = async (user: TestUser, commands: string): Promise<Reply> =>
    await post(intake, user.token, `MyBot(BTCUSDT) { ${commands} }`, { wait: 0 })

  /** Stores what a user may; returns the refusal. */
  async function fill(user: TestUser): Promise<Reply> {
    for (;;) {
      const reply = await post(intake, user.token, large, { wait: 0 })
      if (reply.status !== 202) return reply
    }
  }

  test('users who store all they may leave room for exits and for the first small alert of each', async () => {
    const attackers: TestUser[] = []
    // Without a bound the stream is full behind a few of them.
    for (let count = 0; count < 60; count++) {
      const attacker = await small.addUser()
      attackers.push(attacker)
      const refused = await fill(attacker)
      expect([refused.status, refused.body.error]).toEqual([
        429,
        expect.stringMatching(/^Little room is left/),
      ])
    }
    expect(await usedPart()).toBeGreaterThan(0.5)
    expect(await usedPart()).toBeLessThan(0.9)
    const [attacker] = attackers
    if (attacker === undefined) throw new Error('no attacker')
    const refused = await send(attacker, 'market(buy, 0.01)')
    expect(refused.status).toBe(429)
    expect(refused.body.error).toMatch(/^Little room is left for all accounts' alerts, .* is still taken\.$/)

    const user = await small.addUser()
    expect((await send(user, 'market(buy, 0.01)')).status).toBe(202)
    expect((await send(user, 'market(position=0)')).status).toBe(202)
    expect((await send(user, 'cancel')).status).toBe(202)
  })

  test('a user has the usual room again once the alerts are done', async () => {
    await ops.manager.streams.purge('ALERTS')
    const user = await small.addUser()
    await waitFor(async () => (await post(intake, user.token, large, { wait: 0 })).status === 202)
    expect((await post(intake, user.token, large, { wait: 0 })).status).toBe(202)
  })
})
