import { connect as connectTcp, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { type Bus, store } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import type { ExecutionEvent } from '@tripline/proto/event'
import {
  getExecution,
  listExecutions,
  sumExecutions,
  summarizeExecutions,
} from '@tripline/proto/history-request'
import type { BotId, UserId } from '@tripline/proto/id'
import { eventSubject } from '@tripline/proto/subject'
import { testLog } from '@tripline/testkit/log'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { postgres } from '@tripline/testkit/postgres'
import { sql } from 'kysely'
import type { z } from 'zod'
import { startHistory } from '../src/app.ts'
import { Config } from '../src/config.ts'
import { rebuildHistory } from '../src/rebuild.ts'
import type { Tables } from '../src/store/tables.ts'
import { user } from './event-builder.ts'

type Asked = Partial<z.input<typeof listExecutions.asked>>

export const migrations = path.join(import.meta.dirname, '../migrations')

interface Given {
  settings?: Record<string, string>
  clock?: () => number
}

/** A running history with a bus, a database and the connections of those who talk to it. */
export interface HistoryFixture {
  nats: TestNats
  executor: Bus
  /** Cuts the way to the database, or mends it. */
  cut: (isCut: boolean) => void
  /** Runs a statement in the schema of history; returns its rows. */
  query: (statement: string) => Promise<unknown[]>
  publish: (events: readonly ExecutionEvent[]) => Promise<void>
  /** Publishes events in one message. */
  publishTogether: (events: readonly ExecutionEvent[]) => Promise<void>
  publishText: (text: string) => Promise<void>
  list: (asked?: Asked) => Promise<z.output<typeof listExecutions.answered>>
  sum: (
    asked: Omit<z.input<typeof sumExecutions.asked>, 'userId'>,
  ) => Promise<z.output<typeof sumExecutions.answered>>
  get: (id: string, userId?: UserId) => Promise<z.output<typeof getExecution.answered>>
  summarize: (botIds: BotId[], userId?: UserId) => Promise<z.output<typeof summarizeExecutions.answered>>
  rebuild: (isForced?: boolean) => Promise<void>
  isReady: () => Promise<boolean>
  /** Starts it again, with settings changed if any are named. */
  restart: (changes?: Record<string, string>) => Promise<void>
  stopHistory: () => Promise<void>
  stop: () => Promise<void>
}

export async function startFixture(given: Given = {}): Promise<HistoryFixture> {
  const [bus, database] = await Promise.all([nats(), postgres({ schema: 'history', migrations })])
  const way = await cuttableWay(database.url)
  const stopServers = async (): Promise<void> => {
    await bus.stop()
    await way.stop()
    await database.stop()
  }
  try {
    return await startOn(bus, way, stopServers, given)
  } catch (error) {
    await stopServers()
    throw error
  }
}

async function startOn(
  bus: TestNats,
  way: { url: string; cut: (isCut: boolean) => void },
  stopServers: () => Promise<void>,
  { settings: given, clock }: Given,
): Promise<HistoryFixture> {
  const [executor, gateway] = await Promise.all([bus.connect('executor'), bus.connect('gateway')])
  const addresses = { NATS_URL: bus.url, NATS_NKEY_SEED: bus.seed('history'), DATABASE_URL: way.url }
  // The alerts of tests are of one day, and grow old.
  const settings = { ...addresses, RETENTION_DAYS: '0', ...given }
  const start = async (changes: Record<string, string> = {}): Promise<HttpService> =>
    await startHistory(Config.parse({ ...settings, ...changes }), {
      log: testLog('history'),
      ...(clock && { clock }),
    })
  let history = await start()
  let published = 0
  const publishText = async (text: string): Promise<void> => {
    const options = { messageId: `test-${++published}`, attemptMs: 2000, deadlineMs: 30_000 }
    await store(executor, eventSubject(user, null), text, options)
  }
  return {
    nats: bus,
    executor,
    cut: way.cut,
    query: async (statement) => {
      const db = openDatabase<Tables>(way.url, 'history', testLog('history'))
      const { rows } = await sql.raw(statement).execute(db)
      await db.destroy()
      return rows
    },
    publish: async (events) => {
      for (const event of events) await publishText(JSON.stringify(event))
    },
    publishTogether: async (events) => await publishText(JSON.stringify(events)),
    publishText,
    list: async (asked = {}) =>
      await sendRequest(gateway, listExecutions, { userId: user, offset: 0, limit: 20, ...asked }),
    sum: async (asked) => await sendRequest(gateway, sumExecutions, { userId: user, ...asked }),
    get: async (id, userId = user) => await sendRequest(gateway, getExecution, { userId, id }),
    summarize: async (botIds, userId = user) =>
      await sendRequest(gateway, summarizeExecutions, { userId, botIds }),
    rebuild: async (isForced = false) =>
      await rebuildHistory(Config.parse(settings), testLog('history'), isForced),
    isReady: async () => (await fetch(`http://127.0.0.1:${history.port}/readyz`)).ok,
    restart: async (changes) => {
      await history.stop()
      history = await start(changes)
    },
    stopHistory: async () => await history.stop(),
    stop: async () => {
      way.cut(false)
      await history.stop()
      await stopServers()
    },
  }
}

/** The address of a server by a way that can be cut and mended. */
async function cuttableWay(target: string) {
  const url = new URL(target)
  const port = Number(url.port === '' ? 5432 : url.port)
  const host = url.hostname
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy()
    const onward = connectTcp(port, host)
    for (const end of [socket, onward]) {
      sockets.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        onward.destroy()
      })
    }
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  const cut = (wanted: boolean): void => {
    isCut = wanted
    if (wanted) for (const socket of sockets) socket.destroy()
  }
  const stop = async (): Promise<void> => {
    cut(true)
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: url.href, cut, stop }
}
