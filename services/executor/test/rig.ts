import { randomUUID } from 'node:crypto'
import { openBucket, readBucket } from '@tripline/kit/bus/bucket'
import { type Bus, connectBus, store, subscribe } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { generateSealingPair, readSealingKeys, seal } from '@tripline/kit/crypto/seal'
import type { HttpService } from '@tripline/kit/lifecycle'
import { now } from '@tripline/kit/time/clock'
import { type AlertBlock, type AlertMessage, AlertResult, storedAlertOf } from '@tripline/proto/alert'
import type { ClientEvent, ExecutionEvent } from '@tripline/proto/event'
import { takesPassphrase } from '@tripline/proto/exchange'
import { planBlocks } from '@tripline/proto/executor-request'
import type { AlertId, BotId, UserId } from '@tripline/proto/id'
import { readMessage } from '@tripline/proto/language/read-message'
import type { BlockPlan } from '@tripline/proto/plan'
import { alertSubject, eventFilter, partitionOf } from '@tripline/proto/subject'
import {
  type BotConfig,
  type Credentials,
  credentialContext,
  type UserConfig,
} from '@tripline/proto/user-config'
import { executorSchema } from '@tripline/testkit/executor-schema'
import { testLog } from '@tripline/testkit/log'
import { nats, type TestNats } from '@tripline/testkit/nats'
import type { PaperAccount } from '@tripline/testkit/paper-control'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { storedEvents } from '@tripline/testkit/stored-events'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Overrides, startExecutor } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import { LegsRecord } from '../src/domain/group/legs-record.ts'
import { startHistoryPeer } from './history-peer.ts'

/** Replacements for one executor, also of the address of its database. */
export type RigOverrides = Partial<Overrides> & { databaseUrl?: string }

/** A bus, a paper exchange and one user with a Paper bot called MyBot; executors are started on it. */
export interface Rig {
  paper: TestPaper
  /** The bus as its operator. */
  ops: Bus
  /** The bus as the gateway. */
  gateway: Bus
  /** Lets history answer by all events from now on which alerts have ended. */
  startHistory: () => Promise<void>
  userId: UserId
  config: Config
  /** Allows trades by hand. */
  credentials: Credentials
  /** Returns the bot's account at the paper exchange. */
  account: () => Promise<PaperAccount>
  startExecutor: (overrides?: RigOverrides) => Promise<HttpService>
  /** Stores an alert as intake does; returns its id. */
  send: (message: string, more?: Partial<AlertMessage>) => Promise<AlertId>
  /** Requests the plan of a message as the gateway. */
  plan: (message: string) => Promise<BlockPlan[]>
  /** The result published for an alert, once it is. */
  resultOf: (alertId: AlertId) => Promise<AlertResult>
  /** The events of an alert, once one of this kind is among them. */
  eventsOf: (alertId: AlertId, last: ExecutionEvent['kind']) => Promise<ExecutionEvent[]>
  /** Returns the clients' states so far. */
  clientStates: () => Promise<ClientEvent['state'][]>
  clientEvents: () => Promise<ClientEvent[]>
  /** Returns the records of watched orders. */
  watched: () => Promise<LegsRecord[]>
  /** Settles once no alert lies in the stream. */
  noAlertsWait: () => Promise<void>
  /** Reads the present or last owner of the user's partition. */
  leaseOwner: () => Promise<unknown>
  configure: (change: Partial<BotConfig>) => Promise<void>
  /** Links another bot of the user to the same account, or to another; returns its id, and how it is sent to. */
  linkToo: (
    change: Partial<BotConfig>,
    account?: Credentials,
  ) => Promise<{ botId: BotId; send: (message: string) => Promise<AlertId> }>
  /** Links a bot of another user to the same account; returns how that user sends to it. */
  linkOther: (userId: UserId) => Promise<(message: string) => Promise<AlertId>>
  /** Takes the bot away, as its owner does. */
  unlink: () => Promise<void>
  stop: () => Promise<void>
}

/** The bot that is not the usual one, on Paper futures, and what its account has. */
export interface RigSettings {
  bot?: Partial<BotConfig>
  balances?: Record<string, string>
  /** A bus that is not a usual one. */
  bus?: TestNats
}

// Alerts in flight of an executor that was cut off never settle; nobody takes them over after a test.
const endingSettleMs = 100

/** Builds a rig; everything of it is its own. */
export async function buildRig(settings: RigSettings = {}): Promise<Rig> {
  const [bus, paper, databaseUrl] = await Promise.all([
    settings.bus ?? nats(),
    paperExchange(),
    executorSchema(),
  ])
  const [keys, intake, gateway, ops] = await Promise.all([
    bus.connect('keys'),
    bus.connect('intake'),
    bus.connect('gateway'),
    bus.connect('ops'),
  ])
  const pair = generateSealingPair('test')
  const userId = randomUUID() as UserId
  const bot = { ...paperBot(), ...settings.bot }
  const credentials: Credentials = {
    ...(await paper.openAccount(settings.balances)),
    // Every account's at OKX's wire of the paper exchange.
    ...(takesPassphrase(bot.exchange) && { passphrase: 'paper' }),
  }
  await linkBot(keys, credentials, userId, bot, pair.publicText)
  const results = new Map<string, AlertResult>()
  subscribe(intake, 'result.*', (text) => {
    const result = AlertResult.parse(JSON.parse(text))
    results.set(result.alertId, result)
  })
  const config: Config = {
    LOG_LEVEL: 'info',
    TRIPLINE_MODE: 'local',
    HOST: '127.0.0.1',
    PORT: 0,
    TRACE_SAMPLE: 0,
    DATABASE_URL: databaseUrl,
    NATS_URL: bus.url,
    NATS_NKEY_SEED: bus.seed('executor'),
    SEAL_PRIVATE_KEYS: pair.privateText,
    PAPER_URL: paper.url,
    TRIPLINE_VENUES: 'paper',
    VENUE_ADDRESSES: {},
    ORDER_SOCKETS: 'on',
    ADMISSION: 'on',
    INTERNAL_TOKEN: paper.internalToken,
    MAX_HELD_WAITS_PER_USER: 50,
    MAX_HELD_WAIT_CHARACTERS: 64_000_000,
    MAX_RESTING_PER_USER: 1000,
  }
  const executors: HttpService[] = []
  const linkedToo: BotConfig[] = []
  let isEnding = false
  return {
    paper,
    ops,
    gateway,
    startHistory: async () => startHistoryPeer(await bus.connect('history'), ops),
    userId,
    config,
    credentials,
    account: async () => await paper.account(credentials.apiKey),
    startExecutor: async ({ databaseUrl: DATABASE_URL = config.DATABASE_URL, ...overrides } = {}) => {
      const executor = await startExecutor({ ...config, DATABASE_URL }, testLog('executor'), {
        onLeaseLost: () => undefined,
        // A machine that stands still for seconds must not turn an answer of the bus into a fault.
        connect: async (options) => await connectBus({ ...options, patienceMs: 20_000 }),
        settleMs: () => (isEnding ? endingSettleMs : undefined),
        ...overrides,
      })
      executors.push(executor)
      return executor
    },
    send: async (message, more) => await send(intake, userId, bot, message, more),
    plan: async (message) => {
      const asked = { userId, blocks: blocksOf(bot, message) }
      return (await sendRequest(gateway, planBlocks(partitionOf(userId)), asked)).blocks
    },
    resultOf: async (alertId) => await waitFor(() => results.get(alertId), { deadlineMs: 60_000 }),
    eventsOf: async (alertId, last) =>
      await waitFor(async () => {
        const events = await alertEvents(ops, userId, alertId)
        return events.some(({ kind }) => kind === last) && events
      }),
    clientStates: async () => (await clientEvents(ops, userId)).map(({ state }) => state),
    clientEvents: async () => await clientEvents(ops, userId),
    watched: async () =>
      (await readBucket(ops, 'watches'))
        .flatMap(({ text }) => (text === undefined ? [] : [LegsRecord.parse(JSON.parse(text).record)]))
        .filter(({ state }) => state !== 'done'),
    noAlertsWait: async () =>
      void (await waitFor(async () => (await ops.manager.streams.info('ALERTS')).state.messages === 0)),
    leaseOwner: async () => {
      const lease = await (await openBucket(ops, 'leases')).get(`${partitionOf(userId)}`)
      return lease && JSON.parse(lease.text).owner
    },
    configure: async (change) => await configure(keys, userId, [{ ...bot, ...change }, ...linkedToo]),
    linkToo: async (change, account = credentials) => {
      const second = { ...bot, ...change, id: randomUUID() as BotId }
      await storeCredentials(keys, account, userId, second, pair.publicText)
      linkedToo.push(second)
      await configure(keys, userId, [bot, ...linkedToo])
      return { botId: second.id, send: async (message) => await send(intake, userId, second, message) }
    },
    linkOther: async (otherId) => {
      const otherBot = { ...bot, id: randomUUID() as BotId }
      await linkBot(keys, credentials, otherId, otherBot, pair.publicText)
      return async (message) => await send(intake, otherId, otherBot, message)
    },
    unlink: async () => await configure(keys, userId, []),
    stop: async () => {
      isEnding = true
      await Promise.all(executors.map(async (executor) => await executor.stop()))
      await Promise.all([bus.stop(), paper.stop()])
    },
  }
}

function paperBot(): BotConfig {
  return {
    id: randomUUID() as BotId,
    label: 'MyBot',
    exchange: 'paper',
    marketType: 'futures',
    isTestnet: false,
    tradingState: 'active',
    maxEntryAgeS: 60,
    exitRetryS: 600,
  }
}

async function linkBot(
  keys: Bus,
  secret: Credentials,
  userId: UserId,
  bot: BotConfig,
  sealingKey: string,
): Promise<void> {
  await storeCredentials(keys, secret, userId, bot, sealingKey)
  await configure(keys, userId, [bot])
}

async function storeCredentials(
  keys: Bus,
  secret: Credentials,
  userId: UserId,
  bot: BotConfig,
  sealingKey: string,
): Promise<void> {
  const [key] = readSealingKeys(sealingKey)
  if (key === undefined) throw new Error('no sealing key')
  const context = credentialContext({
    userId,
    botId: bot.id,
    exchange: bot.exchange,
    isTestnet: bot.isTestnet,
  })
  const sealed = seal(key, JSON.stringify(secret), context)
  const credentials = await openBucket(keys, 'credentials')
  await credentials.put(bot.id, JSON.stringify({ userId, botId: bot.id, sealed }))
}

let version = 0

async function configure(keys: Bus, userId: UserId, bots: BotConfig[]): Promise<void> {
  version++
  const settings = { isActive: true, maxRequestsPerMinute: 60, alertFormat: 'tripline' } as const
  const webhook = { tokenHash: '0'.repeat(64), ...settings }
  const state: UserConfig = { userId, version, webhook, bots }
  await (await openBucket(keys, 'config')).put(userId, JSON.stringify(state))
}

function blocksOf(bot: BotConfig, message: string): AlertBlock[] {
  const market = bot.marketType === 'spot' ? 'spot' : 'futures'
  const { blocks, diagnostics } = readMessage(message, [{ label: bot.label, market }])
  if (blocks.length === 0) throw new Error(`not readable: ${JSON.stringify(diagnostics)}`)
  return blocks.map((block) => ({ ...block, botId: bot.id }))
}

let sent = 0

async function send(
  intake: Bus,
  userId: UserId,
  bot: BotConfig,
  message: string,
  more: Partial<AlertMessage> = {},
): Promise<AlertId> {
  const blocks = blocksOf(bot, message)
  sent++
  const alertId = `01ARZ3NDEKTSV4RRFFQ69${`${sent}`.padStart(5, '0')}` as AlertId
  const alert: AlertMessage = {
    alertId,
    userId,
    message,
    blocks,
    isFirst: true,
    receivedAt: now(),
    readAt: now(),
    ...more,
  }
  await store(intake, alertSubject(userId), JSON.stringify(storedAlertOf(alert)), {
    messageId: alertId,
    attemptMs: 2000,
    deadlineMs: 30_000,
  })
  return alertId
}

async function clientEvents(ops: Bus, userId: UserId): Promise<ClientEvent[]> {
  return (await storedEvents(ops, { filter: eventFilter(userId) })).filter(
    (event) => event.kind === 'client.changed',
  )
}

async function alertEvents(ops: Bus, userId: UserId, alertId: AlertId): Promise<ExecutionEvent[]> {
  const events = await storedEvents(ops, { filter: eventFilter(userId) })
  return events.flatMap((event) =>
    event.kind !== 'client.changed' && event.alertId === alertId ? [event] : [],
  )
}
