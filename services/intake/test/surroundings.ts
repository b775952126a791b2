import { createHash, randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { openBucket } from '@tripline/kit/bus/bucket'
import { type Bus, publish, store as storeMessage, subscribe } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { loadConfig } from '@tripline/kit/config'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import { openRedis, type Redis } from '@tripline/kit/redis'
import { now } from '@tripline/kit/time/clock'
import { addressRange } from '@tripline/proto/address-range'
import { AlertMessage } from '@tripline/proto/alert'
import type { ExecutionEvent } from '@tripline/proto/event'
import type { UserId } from '@tripline/proto/id'
import {
  type AnswerDelivery,
  deliveryHeader,
  getWebhookUsage,
  listReceipts,
  readAlertMessage,
} from '@tripline/proto/intake-request'
import {
  alertSubject,
  answerDeliveredSubject,
  deliveriesAskedSubject,
  eventFilter,
  streams,
} from '@tripline/proto/subject'
import { UserConfig } from '@tripline/proto/user-config'
import { testLog } from '@tripline/testkit/log'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { postgres } from '@tripline/testkit/postgres'
import { redis } from '@tripline/testkit/redis'
import { storedEvents } from '@tripline/testkit/stored-events'
import { waitFor } from '@tripline/testkit/wait-for'
import type { z } from 'zod'
import { startIntake } from '../src/app.ts'
import { Config } from '../src/config.ts'
import type { Db, Tables } from '../src/store/tables.ts'
import { type Execute, startExecutor, type TestExecutor } from './executor.ts'
import { openWire, type Wire } from './wire.ts'

/** A webhook's answer. */
export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  body: any
}

export type ResentEvent = Extract<ExecutionEvent, { kind: 'execution.received' }>
export type RefusedEvent = Extract<ExecutionEvent, { kind: 'alert.refused' }>

/** A user with a webhook. */
export interface TestUser {
  config: UserConfig
  token: string
}

export interface PostOptions {
  wait?: number
  type?: string
  from?: string
  /** An access token that is sent along. */
  bearer?: string
  /** Ends the wait for the answer. */
  signal?: AbortSignal
  /** The name that the gateway gives the request. */
  delivery?: string
}

/** Intake on a real bus, a real Redis and a real PostgreSQL, each behind a wire that can be cut. */
export interface Surroundings {
  nats: TestNats
  intake: HttpService
  /** The settings that intake was started with. */
  settings: Record<string, string>
  /** Starts an executor that is stopped with the rest. */
  execute: (execute?: Execute) => Promise<TestExecutor>
  busWire: Wire
  redisWire: Wire
  databaseWire: Wire
  /** The database of intake, past the wire. */
  db: Db
  /** Lets intake's clock run ahead. */
  advance: (ms: number) => void
  addUser: (changes?: Partial<UserConfig['webhook']>) => Promise<TestUser>
  change: (user: TestUser, change: (config: UserConfig) => UserConfig) => Promise<void>
  remove: (user: TestUser) => Promise<void>
  post: (token: string, body: string | object, options?: PostOptions) => Promise<Reply>
  /** Asks how a message would be read, as the gateway does. */
  read: (userId: UserId, message: string) => Promise<z.infer<typeof readAlertMessage.answered>>
  /** Asks how much a user's webhook is used and by whom, as the gateway does. */
  usageOf: (userId: UserId) => Promise<z.infer<typeof getWebhookUsage.answered>>
  /** A page of a user's receipts, as the gateway asks for it. */
  receiptsOf: (
    user: TestUser,
    asked?: Partial<z.input<typeof listReceipts.asked>>,
  ) => Promise<z.output<typeof listReceipts.answered>>
  alertsOf: (user: TestUser) => Promise<AlertMessage[]>
  /** Returns the number of a user's requests that Redis counted in the last minute. */
  admittedOf: (user: TestUser) => Promise<number>
  /** The ids of the alerts that a replica may take for unanswered. */
  unanswered: () => Promise<(string | undefined)[]>
  /** Those of them that an equal body takes over now. */
  openNow: () => Promise<(string | undefined)[]>
  /** Publishes a delivery whenever an intake asks for the last ones, as the gateway does; returns how to stop. */
  keepDelivery: (delivery: AnswerDelivery) => () => void
  /** Publishes the delivery of an answer, as the gateway does. */
  publishDelivery: (id: string, isReceived: boolean) => void
  resendsOf: (user: TestUser) => Promise<ResentEvent[]>
  refusalsOf: (user: TestUser) => Promise<RefusedEvent[]>
  /** As many more alerts as the user's lane holds; one must be there. */
  fillLane: (user: TestUser) => Promise<void>
  emptyLane: (user: TestUser) => Promise<void>
  /** Takes everything out of Redis, as a restart without its file does. */
  emptyRedis: () => Promise<void>
  /** Mends the wire to Redis and waits until every intake uses it again. */
  mendRedis: () => Promise<void>
  /** Another intake, of the same Redis and bus, as replicas are; its settings can be others. */
  startReplica: (changed?: Record<string, string>) => Promise<HttpService>
  stop: () => Promise<void>
}

/** Starts all of it; settings of intake can be changed. */
export async function surroundings(settings: Record<string, string> = {}): Promise<Surroundings> {
  const bus = await nats()
  const store = await redis()
  const database = await postgres({ schema: 'intake', migrations })
  const busWire = await openWire(bus.url)
  const redisWire = await openWire(store.url)
  const databaseWire = await openWire(database.url)
  const db = openDatabase<Tables>(database.url, 'intake', testLog('observer'))
  let aheadMs = 0
  const given = {
    NATS_URL: `nats://127.0.0.1:${busWire.port}`,
    NATS_NKEY_SEED: bus.seed('intake') ?? '',
    DATABASE_URL: addressBy(database.url, databaseWire),
    REDIS_URL: `redis://127.0.0.1:${redisWire.port}`,
    REDIS_PREFIX: store.prefix,
    UNKNOWN_TOKENS_PER_MINUTE: '1000',
    TRUST_PROXY: '1',
    // A machine that stalls must not turn a result into one that is still awaited.
    RESULT_WAIT_MS: '10000',
    RECEIPT_WAIT_MS: '3000',
    REDIS_PATIENCE_MS: '5000',
    ...settings,
  }
  const services: HttpService[] = []
  const startReplica = async (changed: Record<string, string> = {}): Promise<HttpService> => {
    const config = loadConfig(Config, { ...given, ...changed })
    const clock = (): number => now() + aheadMs
    const replica = await startIntake(config, { log: testLog('intake'), clock })
    services.push(replica)
    return replica
  }
  const intake = await startReplica()
  const executorBus = await bus.connect('executor')
  const executors: TestExecutor[] = []
  const execute = async (decide?: Execute): Promise<TestExecutor> => {
    const executor = await startExecutor(executorBus, decide)
    executors.push(executor)
    return executor
  }
  const [ops, gateway] = await Promise.all([bus.connect('ops'), bus.connect('gateway')])
  const observer = openRedis(store.url, '', testLog('observer'), { patienceMs: 5000 })
  const attemptsUntil = async (at: number | string): Promise<(string | undefined)[]> => {
    const members = await observer.zrangebyscore(`${store.prefix}unanswered`, '0', at)
    return members.map((member) => member.split('|')[1])
  }
  const users = await userStore(await bus.connect('keys'), services)
  return {
    nats: bus,
    intake,
    settings: given,
    execute,
    busWire,
    redisWire,
    databaseWire,
    db,
    advance: (ms) => {
      aheadMs += ms
    },
    ...users,
    post: async (token, body, options) => await post(intake, token, body, options),
    read: async (userId, message) => await sendRequest(gateway, readAlertMessage, { userId, message }),
    usageOf: async (userId) => await sendRequest(gateway, getWebhookUsage, { userId }),
    receiptsOf: async ({ config: { userId } }, asked = {}) =>
      await sendRequest(gateway, listReceipts, { userId, limit: 100, ...asked }),
    alertsOf: async ({ config: { userId } }) => await readAlerts(ops, userId),
    admittedOf: async ({ token }) => await observer.llen(`${store.prefix}rate:${tokenHashOf(token)}`),
    unanswered: async () => await attemptsUntil('+inf'),
    openNow: async () => await attemptsUntil(now() + aheadMs),
    publishDelivery: (id, isReceived) =>
      publish(gateway, answerDeliveredSubject, JSON.stringify({ id, isReceived })),
    keepDelivery: (delivery) =>
      subscribe(gateway, deliveriesAskedSubject, () =>
        publish(gateway, answerDeliveredSubject, JSON.stringify(delivery)),
      ),
    resendsOf: async ({ config: { userId } }) =>
      (await readEvents(ops, userId)).filter((event) => event.kind === 'execution.received'),
    refusalsOf: async ({ config: { userId } }) =>
      (await readEvents(ops, userId)).filter((event) => event.kind === 'alert.refused'),
    ...lanes(ops),
    emptyRedis: async () => {
      const keys = await observer.keys(`${store.prefix}*`)
      if (keys.length > 0) await observer.del(...keys)
    },
    mendRedis: async () => {
      redisWire.mend()
      // Each notices on its own, and one that has not yet judges by what it knows itself.
      await Promise.all(services.map(async (service) => await untilCounted(service, observer, store.prefix)))
    },
    startReplica,
    stop: async () => {
      observer.disconnect()
      for (const executor of executors) executor.stop()
      await Promise.all(services.map((service) => service.stop()))
      await db.destroy()
      await Promise.all([busWire.stop(), redisWire.stop(), databaseWire.stop()])
      await Promise.all([bus.stop(), store.stop(), database.stop()])
    },
  }
}

const migrations = path.join(import.meta.dirname, '../migrations')

/** The address of a server as it is reached through a wire. */
function addressBy(address: string, { port }: Wire): string {
  const url = new URL(address)
  url.host = `127.0.0.1:${port}`
  return url.href
}

/** Waits until an intake counts in Redis. */
async function untilCounted(intake: HttpService, observer: Redis, prefix: string): Promise<void> {
  const address = `2001:db8:${randomBytes(2).toString('hex')}::1`
  await waitFor(async () => {
    await post(intake, 'counted', 'which Redis counts', { from: address })
    return (await observer.exists(`${prefix}rate:address:${addressRange(address)}`)) === 1
  })
}

/** Posts to a webhook of an intake. */
export async function post(
  { port }: HttpService,
  token: string,
  body: string | object,
  { wait, type = 'text/plain', from, bearer, signal, delivery }: PostOptions = {},
): Promise<Reply> {
  const query = wait === undefined ? '' : `?wait=${wait}`
  const response = await fetch(`http://127.0.0.1:${port}/webhook/${token}${query}`, {
    method: 'POST',
    headers: {
      'content-type': type,
      ...(from !== undefined && { 'x-forwarded-for': from }),
      ...(delivery !== undefined && { [deliveryHeader]: delivery }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

type UserStore = Pick<Surroundings, 'addUser' | 'change' | 'remove'>

async function userStore(bus: Bus, services: readonly HttpService[]): Promise<UserStore> {
  const configs = await openBucket(bus, 'config')
  const put = async (config: UserConfig): Promise<void> => {
    await configs.put(config.userId, JSON.stringify(config))
  }
  // Changes are seen in order: who knows the marker knows what was changed before it.
  const untilKnown = async (): Promise<void> => {
    const marker = newUser({ isActive: false })
    await put(marker.config)
    for (const service of services)
      await waitFor(async () => (await post(service, marker.token, 'probe')).status === 409)
  }
  return {
    addUser: async (changes) => {
      const user = newUser(changes)
      await put(user.config)
      await untilKnown()
      return user
    },
    change: async (user, change) => {
      const { config } = user
      user.config = { ...change(config), version: config.version + 1 }
      await put(user.config)
      await untilKnown()
    },
    remove: async ({ config: { userId } }) => {
      await configs.remove(userId)
      await untilKnown()
    },
  }
}

/** The part of a configuration by which a token is known. */
export function tokenHashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function newUser(changes?: Partial<UserConfig['webhook']>): TestUser {
  const token = randomBytes(24).toString('base64url')
  const bot = { exchange: 'paper', isTestnet: true, tradingState: 'active', maxEntryAgeS: 60 }
  const config = UserConfig.parse({
    userId: randomUUID(),
    version: 1,
    webhook: { tokenHash: tokenHashOf(token), isActive: true, maxRequestsPerMinute: 60, ...changes },
    bots: [
      { ...bot, id: randomUUID(), label: 'MyBot', marketType: 'futures' },
      { ...bot, id: randomUUID(), label: 'Spot1', marketType: 'spot' },
    ],
  })
  return { config, token }
}

async function readAlerts(bus: Bus, userId: UserId): Promise<AlertMessage[]> {
  const filter = alertSubject(userId)
  const messages = await readStored(bus, {
    stream: 'ALERTS',
    filter,
    start: { from: 'sequence', sequence: 1 },
  })
  return messages.map(({ text }) => AlertMessage.parse(JSON.parse(text)))
}

async function readEvents(bus: Bus, userId: UserId): Promise<ExecutionEvent[]> {
  const events = await storedEvents(bus, { filter: eventFilter(userId) })
  return events.filter((event) => event.kind !== 'client.changed')
}

function lanes(ops: Bus): Pick<Surroundings, 'fillLane' | 'emptyLane'> {
  return {
    fillLane: async ({ config: { userId } }) => {
      const [alert] = await readAlerts(ops, userId)
      const payload = JSON.stringify(alert)
      const missing = streams.ALERTS.maxMessagesPerSubject - 1
      const store = async (_: unknown, index: number): Promise<unknown> =>
        await storeMessage(ops, alertSubject(userId), payload, {
          messageId: `${userId}-${index}`,
          attemptMs: 2000,
          deadlineMs: 30_000,
        })
      await Promise.all(Array.from({ length: missing }, store))
    },
    emptyLane: async ({ config: { userId } }) => {
      await ops.manager.streams.purge('ALERTS', { filter: alertSubject(userId) })
    },
  }
}
