import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { type Bucket, openBucket } from '@tripline/kit/bus/bucket'
import { type Bus, store } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { generateSealingPair, readSealingKeys, seal } from '@tripline/kit/crypto/seal'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import { createLog } from '@tripline/kit/telemetry/log'
import type { ExecutionEvent } from '@tripline/proto/event'
import { AlertId, BotId, executionIdOf, UserId } from '@tripline/proto/id'
import { botTokenContext, type NotificationConfig } from '@tripline/proto/notification'
import {
  type FoundMessages,
  findMessages,
  getDelivery,
  sendTestMessage,
} from '@tripline/proto/notification-request'
import { eventSubject } from '@tripline/proto/subject'
import { type Link, link } from '@tripline/testkit/link'
import { testLog } from '@tripline/testkit/log'
import { nats } from '@tripline/testkit/nats'
import { postgres } from '@tripline/testkit/postgres'
import { type TestTelegram, telegram } from '@tripline/testkit/telegram'
import { startNotifier } from '../src/app.ts'
import { Config } from '../src/config.ts'
import type { Db, Tables } from '../src/store/tables.ts'

const pair = generateSealingPair('notifier-test')
const [sealingKey] = readSealingKeys(pair.publicText)

/** A user whose notifications are set up. */
export interface Reader {
  userId: UserId
  botId: BotId
  token: string
  chatId: string
}

/** Notifiers on a bus, a database and a Telegram of their own. */
export interface NotifierFixture {
  telegram: TestTelegram
  ops: Bus
  db: Db
  /** The way to the database, which can be cut. */
  database: Link
  /** Every line that was logged. */
  lines: string[]
  start: (settings?: Record<string, unknown>) => Promise<HttpService>
  /** Makes a user whose bot MyBot notifies of everything, or of what is given instead. */
  addReader: (change?: Partial<NotificationConfig>) => Promise<Reader>
  /** Changes a reader's settings as keys publishes them. */
  configure: (reader: Reader, change?: Partial<NotificationConfig>) => Promise<void>
  publish: (...events: ExecutionEvent[]) => Promise<void>
  publishText: (userId: UserId, text: string) => Promise<void>
  /** Stops every notifier, mends what was broken and forgets what waits, for the next test. */
  clear: () => Promise<void>
  /** The texts that have arrived from a reader's bot. */
  textsOf: (reader: Reader) => string[]
  /** Returns how often a reader's bot was asked to send, with any outcome. */
  requestsOf: (reader: Reader) => number
  failureOf: (userId: UserId) => Promise<string | null>
  /** Returns the outcomes of the messages about the execution of an event. */
  messagesAbout: (event: ExecutionEvent) => Promise<FoundMessages>
  sendTest: (userId: UserId) => Promise<{ success: boolean; error: string | null }>
  stop: () => Promise<void>
}

// A message whose answer is not waited for is sent again: a machine that stands still must not bring that about.
const quick = { GATHER_MS: 50, RETRY_FIRST_MS: 20, TELEGRAM_TIMEOUT_MS: 20_000 }
let versions = 0

export async function notifierFixture(): Promise<NotifierFixture> {
  const migrations = path.join(import.meta.dirname, '../migrations')
  const servers = await Promise.all([nats(), postgres({ schema: 'notifier', migrations }), telegram()])
  const [bus, postgresServer, stand] = servers
  const database = await link(postgresServer.url)
  const lines: string[] = []
  const log = createLog('notifier', 'trace', { write: (line) => lines.push(line) })
  const started: HttpService[] = []
  const [ops, gateway] = await Promise.all([bus.connect('ops'), bus.connect('gateway')])
  const notifications = await openBucket(ops, 'notifications')
  const db = openDatabase<Tables>(postgresServer.url, 'notifier', testLog('test'))
  const surroundings = {
    NATS_URL: bus.url,
    NATS_NKEY_SEED: bus.seed('notifier'),
    DATABASE_URL: database.url,
    SEAL_PRIVATE_KEYS: pair.privateText,
    TELEGRAM_API_URL: stand.url,
    ...quick,
  }
  return {
    telegram: stand,
    ops,
    db,
    database,
    lines,
    start: async (settings = {}) => {
      const notifier = await startNotifier(Config.parse({ ...surroundings, ...settings }), { log })
      started.push(notifier)
      return notifier
    },
    addReader: async (change) => {
      const reader = newReader()
      stand.addBot(reader.token, reader.chatId)
      await configure(notifications, reader, change)
      return reader
    },
    configure: async (reader, change) => await configure(notifications, reader, change),
    publish: async (...events) => {
      for (const event of events) await storeEvent(ops, event.userId, JSON.stringify(event), event.eventId)
    },
    publishText: async (userId, text) => await storeEvent(ops, userId, text, randomUUID()),
    textsOf: ({ token }) =>
      stand.messages.filter((message) => message.token === token).map(({ text }) => text),
    requestsOf: ({ token }) =>
      stand.requests.filter((path) => path.includes(encodeURIComponent(token))).length,
    clear: async () => {
      stand.hangUp()
      database.mend()
      await Promise.all(started.splice(0).map(async (notifier) => await notifier.stop()))
      await db.deleteFrom('note').execute()
      await db.deleteFrom('delivery').execute()
      lines.splice(0)
    },
    failureOf: async (userId) => (await sendRequest(gateway, getDelivery, { userId })).lastError,
    messagesAbout: async (event) => {
      const { userId, alertId, at } = event
      const executionId = 'executionId' in event ? event.executionId : alertId
      const refusedAt = event.kind === 'alert.refused' ? at : undefined
      return await sendRequest(gateway, findMessages, {
        userId,
        executionId,
        at,
        ...(refusedAt !== undefined && { refusedAt }),
      })
    },
    sendTest: async (userId) => await sendRequest(gateway, sendTestMessage, { userId }),
    stop: async () => {
      await Promise.all([...started.map(async (notifier) => await notifier.stop()), db.destroy()])
      await database.stop()
      await Promise.all(servers.map(async (server) => await server.stop()))
    },
  }
}

function newReader(): Reader {
  return {
    userId: UserId.parse(randomUUID()),
    botId: BotId.parse(randomUUID()),
    token: `123456789:CANARY-${randomUUID()}`,
    chatId: `${100_000 + ++versions}`,
  }
}

async function configure(
  bucket: Bucket,
  { userId, botId, token, chatId }: Reader,
  change: Partial<NotificationConfig> = {},
): Promise<void> {
  if (sealingKey === undefined) throw new Error('There is no sealing key')
  const settings: NotificationConfig = {
    userId,
    version: ++versions,
    isEnabled: true,
    sealedToken: seal(sealingKey, token, botTokenContext(userId)),
    chatId,
    bots: [{ id: botId, label: 'MyBot', onTrade: true, onError: true, onFill: true }],
    ...change,
  }
  await bucket.put(userId, JSON.stringify(settings))
}

async function storeEvent(ops: Bus, userId: UserId, text: string, messageId: string): Promise<void> {
  await store(ops, eventSubject(userId, null), text, { messageId, attemptMs: 2000, deadlineMs: 30_000 })
}

let alerts = 0

/** Returns the fields of every event of a command of a reader's bot. */
function commandOf({ userId, botId }: Reader) {
  const alertId = AlertId.parse(`01KAJ${`${++alerts}`.padStart(21, '0')}`)
  return {
    eventId: `${alertId}-0.0.finished`,
    at: Date.now(),
    userId,
    alertId,
    executionId: executionIdOf(alertId, 0),
    botId,
    label: 'MyBot',
    exchange: 'paper_futures',
    symbol: 'BTCUSDT',
    command: 0,
    type: 'market',
  } as const
}

/** A failed command of a reader's bot: one note. */
export function failure(reader: Reader, error: string, more: { at?: number } = {}): ExecutionEvent {
  const failed = { status: 'failed', result: null, errorCode: 'E506', error, executionTimeMs: 1 } as const
  return {
    kind: 'command.finished',
    ...commandOf(reader),
    outcome: { command: 'market', ...failed },
    ...more,
  }
}

/** Something about a reader's bot that a person should look at. */
export function alarm(reader: Reader, text: string): ExecutionEvent {
  return { kind: 'command.alarm', ...commandOf(reader), code: 'E604', text }
}

/** An alert of a reader that names none of its bots. */
export function refusal({ userId }: Reader): ExecutionEvent {
  const alertId = AlertId.parse(`01KAJ${`${++alerts}`.padStart(21, '0')}`)
  return {
    kind: 'alert.refused',
    eventId: `${alertId}.-.refused`,
    at: Date.now(),
    receivedAt: Date.now(),
    userId,
    alertId,
    botId: null,
    label: null,
    symbol: null,
    exchange: null,
    message: 'x',
    errorCode: 'E201',
    error: 'no such bot',
  }
}
