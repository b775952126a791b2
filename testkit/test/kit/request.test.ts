import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Bus, flush, publish, subscribe } from '@tripline/kit/bus/bus'
import { sendRequest, serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { endSession, getUser } from '@tripline/proto/auth-request'
import type { SessionId, UserId } from '@tripline/proto/id'
import { sessionEndedSubject } from '@tripline/proto/subject'
import { nats, type TestNats } from '../../nats.ts'

const userId = '6f1d3c58-6c0f-4f43-9d0c-5b6d3e0a7c11' as UserId
const sessionId = '0b7c3ad5-6f0f-4f83-8a53-1f4f8f0f0a77' as SessionId
const user = {
  id: userId,
  email: 'ada@example.com',
  username: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  country: 'GB',
  createdAt: '2026-11-21T12:00:00.000Z',
}

let server: TestNats
let gateway: Bus
let auth: Bus
const stops: (() => void)[] = []

beforeAll(async () => {
  server = await nats()
  ;[gateway, auth] = await Promise.all([server.connect('gateway'), server.connect('auth')])
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})
afterAll(async () => await server.stop())

async function answering(...args: Parameters<typeof serve<typeof getUser.asked, typeof getUser.answered>>) {
  stops.push(serve(...args))
  await auth.connection.flush()
}

const asking = async () => await sendRequest(gateway, getUser, { userId, sessionId })

async function refusal(asked: Promise<unknown>): Promise<Pick<RefusedError, 'code' | 'message' | 'faults'>> {
  const error: unknown = await asked.catch((thrown: unknown) => thrown)
  if (!(error instanceof RefusedError)) throw new Error('nothing was refused', { cause: error })
  const { code, message, faults } = error
  return { code, message, faults }
}

describe('a request', () => {
  test('is answered with the decision of the other service', async () => {
    const asked: unknown[] = []
    await answering(auth, getUser, async (request) => {
      asked.push(request)
      return user
    })
    expect(await asking()).toEqual(user)
    expect(asked).toEqual([{ userId, sessionId }])
  })

  test('that is refused there is refused here, with its code, text and faults', async () => {
    await answering(auth, getUser, async () => {
      const faults = [{ field: 'sessionId', message: 'has ended' }]
      throw new RefusedError('unauthorized', 'Please log in again', { faults })
    })
    expect(await refusal(asking())).toEqual({
      code: 'unauthorized',
      message: 'Please log in again',
      faults: [{ field: 'sessionId', message: 'has ended' }],
    })
  })

  test('that is refused for a while is refused here with that while', async () => {
    await answering(auth, getUser, async () => {
      throw new RefusedError('rate_limited', 'Too many attempts', { retryAfterS: 90 })
    })
    await expect(asking()).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 90 })
  })

  test('that meets a fault is refused as unavailable, and nothing of the fault is shown', async () => {
    await answering(auth, getUser, async () => await Promise.reject(new Error('password column')))
    expect(await refusal(asking())).toEqual({
      code: 'unavailable',
      message: 'The service could not answer, please try again',
      faults: undefined,
    })
  })

  test('that is malformed is refused with its faults, and nobody decides it', async () => {
    let decided = 0
    await answering(auth, getUser, async () => {
      decided++
      return user
    })
    const malformed = sendRequest(gateway, getUser, { userId: 'nobody', sessionId: '' })
    const { code, faults } = await refusal(malformed)
    expect({ code, fields: faults?.map(({ field }) => field), decided }).toEqual({
      code: 'invalid_request',
      fields: ['userId', 'sessionId'],
      decided: 0,
    })
  })

  test('is answered behind the messages that were published on the way to its answer', async () => {
    const received: string[] = []
    stops.push(subscribe(gateway, sessionEndedSubject, (text) => received.push(text)))
    await flush(gateway)
    await answering(auth, getUser, async () => {
      publish(auth, sessionEndedSubject, 'ended')
      return user
    })
    await asking()
    expect(received).toEqual(['ended'])
  })

  test('that is no JSON is refused and ends nothing', async () => {
    await answering(auth, getUser, async () => user)
    const reply = await gateway.connection.request(getUser.subject, 'not json', { timeout: 20_000 })
    expect(reply.json()).toMatchObject({ ok: false, code: 'unavailable' })
    expect(await asking()).toEqual(user)
  })

  test('with an address to answer where no replies arrive is not even looked at', async () => {
    let decided = 0
    await answering(auth, getUser, async () => {
      decided++
      return user
    })
    const asked = JSON.stringify({ userId, sessionId })
    gateway.connection.publish(getUser.subject, asked, { reply: '$KV.members.x' })
    await asking()
    expect(decided).toBe(1)
  })

  test('that nobody answers is refused as unavailable', async () => {
    const asked = sendRequest(gateway, endSession, { userId, sessionId }, { timeoutMs: 500 })
    expect(await refusal(asked)).toMatchObject({ code: 'unavailable' })
  })

  test('that is not answered in time is refused as unavailable', async () => {
    await answering(auth, getUser, async () => await new Promise<never>(() => undefined))
    const asked = sendRequest(gateway, getUser, { userId, sessionId }, { timeoutMs: 100 })
    expect(await refusal(asked)).toMatchObject({ code: 'unavailable' })
  })

  test('is shared by replicas, one answer each', async () => {
    const other = await server.connect('auth')
    let decided = 0
    const decide = async () => {
      decided++
      return user
    }
    await answering(auth, getUser, decide)
    await answering(other, getUser, decide)
    await other.connection.flush()
    await Promise.all(Array.from({ length: 20 }, asking))
    expect(decided).toBe(20)
  })

  test('with an answer that was not agreed is a fault here', async () => {
    await answering(auth, getUser, async () => ({ ...user, id: 'nobody' as UserId }))
    await expect(asking()).rejects.not.toBeInstanceOf(RefusedError)
  })
})

test('a listener that throws is called with the next message, and the connection goes on', async () => {
  const received: string[] = []
  const changes: boolean[] = []
  stops.push(gateway.onConnection((isConnected) => changes.push(isConnected)))
  stops.push(
    subscribe(gateway, sessionEndedSubject, (text) => {
      received.push(JSON.parse(text))
    }),
  )
  await flush(gateway)
  for (const text of ['not json', '"readable"']) publish(auth, sessionEndedSubject, text)
  await answering(auth, getUser, async () => user)
  expect(await asking()).toEqual(user)
  expect(received).toEqual(['readable'])
  expect(changes).toEqual([])
})
