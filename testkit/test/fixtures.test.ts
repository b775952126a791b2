import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { deleteMessage, publish, store, subscribe } from '@tripline/kit/bus/bus'
import { openDatabase } from '@tripline/kit/postgres'
import { openRedis } from '@tripline/kit/redis'
import { sql } from 'kysely'
import { testLog } from '../log.ts'
import { nats, type TestNats } from '../nats.ts'
import { postgres } from '../postgres.ts'
import { redis } from '../redis.ts'
import { waitFor } from '../wait-for.ts'

describe('postgres', () => {
  test('each database is empty and apart from the others', async () => {
    const [one, other] = await Promise.all([postgres(), postgres()])
    const db = openDatabase<unknown>(one.url, 'public', testLog('test'))
    await sql`create table note (text text)`.execute(db)
    await db.destroy()
    const second = openDatabase<unknown>(other.url, 'public', testLog('test'))
    await expect(sql`select * from note`.execute(second)).rejects.toThrow('does not exist')
    await second.destroy()
    await Promise.all([one.stop(), other.stop()])
  })
})

describe('redis', () => {
  test('stopping removes the keys under the prefix and nothing else', async () => {
    const [one, other] = await Promise.all([redis(), redis()])
    const open = [one, other].map(({ url, prefix }) =>
      openRedis(url, prefix, testLog('test'), { patienceMs: 10_000 }),
    )
    await waitFor(() => open.every((connection) => connection.status === 'ready'))
    for (const connection of open) await connection.set('name', 'value')
    await one.stop()
    expect(await Promise.all(open.map((connection) => connection.get('name')))).toEqual([null, 'value'])
    for (const connection of open) connection.disconnect()
    await other.stop()
  })
})

describe('nats', () => {
  let server: TestNats
  beforeAll(async () => {
    server = await nats()
  })
  afterAll(async () => server.stop())

  test('a user may store where its permissions say so', async () => {
    const intake = await server.connect('intake')
    const stored = await store(intake, 'alert.1.someone', '{}', {
      messageId: 'a',
      attemptMs: 30_000,
      deadlineMs: 30_000,
    })
    expect(stored).toEqual({ sequence: 1, isDuplicate: false })
    await deleteMessage(await server.connect('executor'), 'ALERTS', 1)
  })

  const whereUsersAre = process.env['NATS_URL'] ? test.skip : test
  // A given server may let everybody subscribe to everything.
  whereUsersAre('a user receives nothing that its permissions leave out', async () => {
    const [history, executor, intake] = await Promise.all(
      (['history', 'executor', 'intake'] as const).map((user) => server.connect(user)),
    )
    const received: string[] = []
    if (!history || !executor || !intake) throw new Error('No connection')
    subscribe(history, 'result.*', () => received.push('history'))
    subscribe(intake, 'result.*', () => received.push('intake'))
    await Promise.all([history.connection.flush(), intake.connection.flush()])
    publish(executor, 'result.x', '{}')
    await waitFor(() => received.length > 0)
    expect(received).toEqual(['intake'])
  })
})
