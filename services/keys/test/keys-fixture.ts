import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { type Bucket, openBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest, serve } from '@tripline/kit/bus/request'
import { generateKek } from '@tripline/kit/crypto/envelope'
import {
  generateSealingPair,
  readOpeningKeys,
  readSealingKeys,
  seal,
  unseal,
} from '@tripline/kit/crypto/seal'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import { createLog } from '@tripline/kit/telemetry/log'
import { openPaperAccount, resetPaperAccount } from '@tripline/proto/executor-request'
import { BotId, UserId } from '@tripline/proto/id'
import { type Bot, createBot } from '@tripline/proto/key-request'
import { credentialContext, SealedCredentials, UserConfig } from '@tripline/proto/user-config'
import { testLog } from '@tripline/testkit/log'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { postgres } from '@tripline/testkit/postgres'
import type { input } from 'zod'
import { startKeys } from '../src/app.ts'
import { Config } from '../src/config.ts'
import type { Db, Tables } from '../src/store/database.ts'

const pair = generateSealingPair('executor-test')
const [sealingKey] = readSealingKeys(pair.publicText)
const openingKeys = readOpeningKeys(pair.privateText)

/** The secret that is sealed for every bot of these tests. */
export const secret = 'CANARY-venue-secret'

/** Keys on a bus and a database of its own, asked as the gateway asks it. */
export interface KeysFixture {
  gateway: Bus
  executor: Bus
  ops: Bus
  connect: TestNats['connect']
  kek: string
  databaseUrl: string
  db: Db
  configs: Bucket
  credentials: Bucket
  notifications: Bucket
  /** Every line that keys has logged. */
  lines: string[]
  /** Starts one more replica. */
  start: (settings?: Record<string, unknown>) => Promise<HttpService>
  stopReplicas: () => Promise<void>
  stop: () => Promise<void>
}

export async function keysFixture(): Promise<KeysFixture> {
  const migrations = path.join(import.meta.dirname, '../migrations')
  const [bus, database] = await Promise.all([nats(), postgres({ schema: 'keys', migrations })])
  const lines: string[] = []
  const log = createLog('keys', 'trace', { write: (line) => lines.push(line) })
  const started: HttpService[] = []
  const kek = generateKek('test')
  const start = async (settings = {}): Promise<HttpService> => {
    const bound = {
      NATS_URL: bus.url,
      NATS_NKEY_SEED: bus.seed('keys'),
      DATABASE_URL: database.url,
      KEK: kek,
    }
    const replica = await startKeys(Config.parse({ ...bound, ...settings }), { log })
    started.push(replica)
    return replica
  }
  const db = openDatabase<Tables>(database.url, 'keys', testLog('test'))
  const stopReplicas = async (): Promise<void> => {
    await Promise.all(started.splice(0).map(async (replica) => await replica.stop()))
  }
  const stop = async (): Promise<void> => {
    await Promise.all([stopReplicas(), db.destroy()])
    await Promise.all([bus.stop(), database.stop()])
  }
  const ops = await bus.connect('ops')
  return {
    gateway: await bus.connect('gateway'),
    executor: await bus.connect('executor'),
    ops,
    connect: bus.connect,
    kek,
    databaseUrl: database.url,
    db,
    configs: await openBucket(ops, 'config'),
    credentials: await openBucket(ops, 'credentials'),
    notifications: await openBucket(ops, 'notifications'),
    lines,
    start,
    stopReplicas,
    stop,
  }
}

/** The replicas of keys and their settings. */
interface Running {
  replicas?: number
  settings?: Record<string, unknown>
  /** Whether Paper accounts open until the end; else a test has them opened. */
  opensAccounts?: boolean
}

/** Keys that run, and Paper accounts that open for them. */
export async function runningKeys({
  replicas = 1,
  settings = {},
  opensAccounts = true,
}: Running = {}): Promise<KeysFixture> {
  const keys = await keysFixture()
  const stopPaper = opensAccounts ? openPaperAccounts(keys.executor).stop : undefined
  await keys.executor.connection.flush()
  await Promise.all(Array.from({ length: replicas }, async () => await keys.start(settings)))
  const stop = async (): Promise<void> => {
    stopPaper?.()
    await keys.stop()
  }
  return { ...keys, stop }
}

/** Keys that run while the tests of a file do; nothing is read from them before. */
export function keysOfFile(running?: Running): KeysFixture {
  const keys: Partial<KeysFixture> = {}
  beforeAll(async () => void Object.assign(keys, await runningKeys(running)))
  afterAll(async () => await keys.stop?.())
  return keys as KeysFixture
}

/** Opens Paper accounts as the executor does; returns the bots it was asked for, and its stop function. */
export function openPaperAccounts(executor: Bus): { asked: BotId[]; stop: () => void } {
  const asked: BotId[] = []
  const stop = serve(executor, openPaperAccount, async (bot) => {
    asked.push(bot.botId)
    return { sealed: sealFor({ ...bot, exchange: 'paper' }), apiKeyPreview: 'pape…1234' }
  })
  return { asked, stop }
}

/** Resets Paper accounts as the executor does; returns which, and its stop function. */
export function resetPaperAccounts(executor: Bus): { asked: unknown[]; stop: () => void } {
  const asked: unknown[] = []
  const stop = serve(executor, resetPaperAccount, async ({ sealed, ...bot }) => {
    asked.push(JSON.parse(unseal(openingKeys, sealed, credentialContext({ ...bot, exchange: 'paper' }))))
    return {}
  })
  return { asked, stop }
}

/** Credentials for a bot, sealed as the gateway seals them. */
export function sealFor(bot: Parameters<typeof credentialContext>[0]): string {
  if (sealingKey === undefined) throw new Error('There is no sealing key')
  return seal(sealingKey, JSON.stringify({ apiKey: 'key', secret }), credentialContext(bot))
}

/** The secret of a bot as its executor finds it in the bucket. */
export async function secretInBucket(
  { credentials }: KeysFixture,
  bot: Pick<Bot, 'id' | 'exchange' | 'isTestnet'>,
): Promise<unknown> {
  const entry = await credentials.get(bot.id)
  const { sealed, ...ids } = SealedCredentials.parse(JSON.parse(entry?.text ?? 'null'))
  return JSON.parse(unseal(openingKeys, sealed, credentialContext({ ...bot, ...ids }))).secret
}

/** A user's state as other services find it in the bucket, or undefined if it is not there. */
export async function configInBucket(
  { configs }: KeysFixture,
  userId: UserId,
): Promise<UserConfig | undefined> {
  const entry = await configs.get(userId)
  return entry && UserConfig.parse(JSON.parse(entry.text))
}

/** A user that nobody knows yet. */
export function newUser(): UserId {
  return UserId.parse(randomUUID())
}

/** The id of a bot that is about to be linked. */
export function newBotId(): BotId {
  return BotId.parse(randomUUID())
}

type Wanted = input<typeof createBot.asked>

/** Links a Paper bot, or what is given instead. */
export async function link(
  gateway: Bus,
  userId: UserId,
  bot: Partial<Wanted['bot']> = {},
  credentials: Wanted['credentials'] = null,
): Promise<Bot> {
  const paper = {
    id: newBotId(),
    label: 'MyBot',
    exchange: 'paper',
    marketType: 'futures',
    isTestnet: false,
    notifyOnTrade: true,
    notifyOnError: true,
    notifyOnFill: false,
  } as const
  return await sendRequest(gateway, createBot, { userId, bot: { ...paper, ...bot }, credentials })
}

/** The code of the refusal that the request ends in. */
export async function refusal(request: Promise<unknown>): Promise<string> {
  return await request.then(
    () => 'not refused',
    (error: { code?: string }) => error.code ?? String(error),
  )
}
