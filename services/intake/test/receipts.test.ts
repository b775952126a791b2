import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { HttpService } from '@tripline/kit/lifecycle'
import type { Receipt } from '@tripline/proto/intake-request'
import { checkChain, noReceipt } from '@tripline/proto/receipt'
import { waitFor } from '@tripline/testkit/wait-for'
import { post, type Reply, type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

let around: Surroundings
let replica: HttpService

beforeAll(async () => {
  around = await surroundings()
  replica = await around.startReplica()
  await around.execute()
})
afterEach(() => {
  around.databaseWire.mend()
  around.busWire.mend()
})
afterAll(async () => await around.stop())

/** All of a user's receipts, from the first one on, once there are so many. */
async function chainOf(user: TestUser, count: number): Promise<Receipt[]> {
  return await waitFor(async () => {
    const { receipts } = await around.receiptsOf(user, { after: 0 })
    return receipts.length >= count && receipts
  })
}

async function faultIn(user: TestUser, receipts: readonly Receipt[]): Promise<string | undefined> {
  const checking = checkChain(async (text) => sha256(text))
  await checking.add(receipts.map((receipt) => ({ ...receipt, userId: user.config.userId })))
  return checking.result().fault?.reason
}

describe('an accepted alert', () => {
  test('gets a receipt, whose number and hash are in its answer', async () => {
    const user = await around.addUser()
    const first = await around.post(user.token, message)
    const second = await around.post(user.token, { message })
    const chain = await chainOf(user, 2)
    expect(first.body.receipt).toEqual({ number: 1, hash: chain[0]?.hash })
    expect(second.body.receipt).toEqual({ number: 2, hash: chain[1]?.hash })
    expect(chain[0]).toMatchObject({
      alertId: first.body.alert_id,
      messageHash: sha256(message),
      previousHash: noReceipt,
      state: 'open',
      message: null,
    })
    expect(chain[1]).toMatchObject({
      messageHash: sha256(JSON.stringify({ message })),
      previousHash: chain[0]?.hash,
    })
    expect(await faultIn(user, chain)).toBeUndefined()
  })

  test('has its text, its blocks and its place in the stream stored until its end is known', async () => {
    const user = await around.addUser()
    const text = 'MyBot(BTCUSDT) { balance }\nSpot1(ETHUSDT) { balance } # \u00e9\ud83d\ude00'
    const { body } = await around.post(user.token, text)
    const row = await around.db
      .selectFrom('receipt')
      .select(['message', 'blocks', 'sequence', 'is_confirmed'])
      .where('alert_id', '=', body.alert_id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ message: text, blocks: 2, sequence: expect.any(Number), is_confirmed: true })
    expect(row.sequence).toBeGreaterThan(0)
  })

  test('that has characters which the database does not take is receipted by what was sent', async () => {
    const user = await around.addUser()
    const text = `${message} # \u0000 and more`
    const { body } = await around.post(user.token, text)
    expect(body.receipt).toMatchObject({ number: 1 })
    expect((await chainOf(user, 1))[0]?.messageHash).toBe(sha256(text))
  })

  test('that comes again under its id has one receipt', async () => {
    const user = await around.addUser()
    const first = await around.post(user.token, `@id one\n${message}`)
    const second = await post(replica, user.token, `@id one\n${message}`)
    await around.post(user.token, message)
    expect(second.body.alert_id).toBe(first.body.alert_id)
    expect(second.body.receipt).toEqual(first.body.receipt)
    expect((await chainOf(user, 2)).map(({ number }) => number)).toEqual([1, 2])
  })

  test('of a user is numbered without gaps, whatever replica takes it, and each chain is whole', async () => {
    const users = [await around.addUser(), await around.addUser()]
    const replies = await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const taker = index % 2 === 0 ? around.intake : replica
        return await post(taker, users[index % 3 === 0 ? 0 : 1]?.token ?? '', `${message} # ${index}`)
      }),
    )
    // On a busy machine one may not be confirmed in time; it has a receipt, too.
    const isAccepted = ({ status }: Reply): boolean => [200, 202, 503].includes(status)
    expect(replies.filter(isAccepted).length).toBeGreaterThan(90)
    for (const [index, user] of users.entries()) {
      const accepted = replies.filter((reply, at) => isAccepted(reply) && (at % 3 === 0 ? 0 : 1) === index)
      const chain = await chainOf(user, accepted.length)
      expect(chain.map(({ number }) => number)).toEqual(accepted.map((_, place) => place + 1))
      expect(await faultIn(user, chain)).toBeUndefined()
      expect(new Set(chain.map(({ alertId }) => alertId))).toEqual(
        new Set(accepted.map(({ body }) => body.alert_id)),
      )
    }
  })
})

test('an alert that is refused has no receipt', async () => {
  const user = await around.addUser()
  expect((await around.post(user.token, 'NoBot(BTCUSDT) { balance }')).status).toBe(400)
  const { body } = await around.post(user.token, message)
  expect(body.receipt.number).toBe(1)
})

test('an alert that may be stored has a receipt, which a resend of it confirms', async () => {
  const user = await around.addUser()
  around.busWire.stall()
  const refused = await around.post(user.token, message)
  around.busWire.mend()
  expect(refused.status).toBe(503)
  expect(refused.body.receipt).toMatchObject({ number: 1 })
  const isConfirmed = async () =>
    (
      await around.db
        .selectFrom('receipt')
        .selectAll()
        .where('alert_id', '=', refused.body.alert_id)
        .executeTakeFirst()
    )?.is_confirmed
  expect(await isConfirmed()).toBe(false)
  const again = await waitFor(async () => {
    const reply = await around.post(user.token, message)
    return reply.status === 200 && reply
  })
  expect(again.body.alert_id).toBe(refused.body.alert_id)
  expect(again.body.receipt).toEqual(refused.body.receipt)
  // An executor may refuse the resend, by an event of its own.
  const [event] = await waitFor(async () => {
    const events = await around.refusalsOf(user)
    return events.length > 0 && events
  })
  expect(event?.eventId).toBe(`${refused.body.alert_id}.-.unconfirmed`)
  expect(await isConfirmed()).toBe(true)
})

describe('while the database is away', () => {
  test.each(['cut', 'stall'] as const)(
    'alerts are executed without it (%s), and get their receipts later, in order',
    async (kind) => {
      const user = await around.addUser()
      await around.post(user.token, message)
      around.databaseWire[kind]()
      const first = await around.post(user.token, `${message} # 1`)
      const second = await around.post(user.token, `${message} # 2`)
      expect([first.status, second.status]).toEqual([200, 200])
      expect(second.body.receipt).toBeUndefined()
      around.databaseWire.mend()
      const chain = await chainOf(user, 3)
      expect(chain.slice(1).map(({ alertId }) => alertId)).toEqual([
        first.body.alert_id,
        second.body.alert_id,
      ])
      expect(await faultIn(user, chain)).toBeUndefined()
      const after = await waitFor(async () => {
        const { body } = await around.post(user.token, `${message} # 3`)
        return body.receipt !== undefined && body
      })
      expect(after.receipt.number).toBeGreaterThan(3)
    },
  )
})

describe('the list of receipts', () => {
  test('has pages from the newest on, or from the first, of one state if one is named, of one user', async () => {
    const user = await around.addUser()
    const stranger = await around.addUser()
    for (let index = 0; index < 5; index++) await around.post(user.token, `${message} # ${index}`)
    await around.post(stranger.token, message)
    await chainOf(user, 5)
    const numbers = async (asked: Parameters<typeof around.receiptsOf>[1]) => {
      const { receipts, hasMore } = await around.receiptsOf(user, asked)
      return [receipts.map(({ number }) => number), hasMore]
    }
    expect(await numbers({ limit: 2 })).toEqual([[5, 4], true])
    expect(await numbers({ limit: 2, before: 4 })).toEqual([[3, 2], true])
    expect(await numbers({ limit: 2, before: 2 })).toEqual([[1], false])
    expect(await numbers({ limit: 3, after: 1 })).toEqual([[2, 3, 4], true])
    expect(await numbers({ state: 'lost' })).toEqual([[], false])
    expect((await around.receiptsOf(stranger)).receipts).toHaveLength(1)
  })
})
