import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, connectBus, store } from '@tripline/kit/bus/bus'
import { readStream } from '@tripline/kit/bus/stream-reader'
import { createLog } from '@tripline/kit/telemetry/log'
import { type ExecutionEvent, eventIdOf } from '@tripline/proto/event'
import { AlertId, BotId, executionIdOf, type UserId } from '@tripline/proto/id'
import type { BusUser } from '@tripline/proto/permission'
import { eventSubject } from '@tripline/proto/subject'
import type { Closers } from '@tripline/testkit/closers'
import { recordedPid } from '@tripline/testkit/infra/process-record'
import { phase } from '@tripline/testkit/progress'
import { localKeys } from '@tripline/testkit/stack/local-keys'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitUntil } from '@tripline/testkit/wait-until'
import { summarize } from '../statistics.ts'
import { textTable } from '../table.ts'
import { type Listeners, openListeners } from './listeners.ts'
import { type Person, playAuth } from './people.ts'

const people = 200
const streamsEach = 10

/** The number of events that are published, one after the other and one to everybody at a time. */
const plans = {
  full: { steady: 1000, perSecond: 100, rounds: 5 },
  quick: { steady: 200, perSecond: 100, rounds: 1 },
} as const

/** Measures 2,000 authenticated streams on one gateway: how late an event comes, and what a stream costs. */
export async function eventStream(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const plan = plans[pace]
  const product = await startProduct({ ephemeral: true, ownServers: true, closers, phase })
  await product.stopService('auth')
  const [auth, executor] = await Promise.all([
    join(product, 'auth', closers),
    join(product, 'executor', closers),
  ])
  const listening = await playAuth(auth, people, streamsEach)
  const stopwatch = createStopwatch()
  const opened = await openStreams(product, listening, stopwatch, closers)
  await readAlone(executor, stopwatch, closers)
  const userIds = listening.map(({ userId }) => userId)
  const publish = publisher(executor, stopwatch)
  const toEach = async (): Promise<number[]> =>
    await complete(opened.listeners, stopwatch, await Promise.all(userIds.map(publish)))
  await toEach()
  stopwatch.alone.length = 0
  const steady = await phase('sent one event after the other', async () =>
    complete(opened.listeners, stopwatch, await publishSteadily(plan, userIds, publish)),
  )
  const alone = [...stopwatch.alone]
  const bursts: number[] = []
  await phase('sent one event to everybody at once', async () => {
    for (let round = 0; round < plan.rounds; round++) bursts.push(...(await toEach()))
  })
  return report(opened, [
    row(`${plan.perSecond} events/s`, steady),
    row('the bus alone', alone),
    row(`one to each of ${people} at once`, bursts),
  ])
}

/** The times of the events, and their delays, in µs. */
interface Stopwatch {
  sentAt: Map<string, number>
  /** At the streams. */
  late: Map<string, number[]>
  /** At a reader of the bus in this process. */
  alone: number[]
  note: (alertId: string) => void
  noteAlone: (alertId: string) => void
}

function createStopwatch(): Stopwatch {
  const sentAt = new Map<string, number>()
  const late = new Map<string, number[]>()
  const alone: number[] = []
  const since = (alertId: string): number[] => {
    const at = sentAt.get(alertId)
    return at === undefined ? [] : [(performance.now() - at) * 1000]
  }
  return {
    sentAt,
    late,
    alone,
    note: (alertId) => void late.get(alertId)?.push(...since(alertId)),
    noteAlone: (alertId) => void alone.push(...since(alertId)),
  }
}

interface Opened {
  listeners: Listeners
  tookMs: number
  bytesEach: number
}

async function openStreams(
  product: Product,
  listening: readonly Person[],
  { note }: Stopwatch,
  closers: Closers,
): Promise<Opened> {
  const tokens = listening.flatMap((person) => person.tokens)
  const before = memoryOf(product)
  const startedAt = performance.now()
  const listeners = await phase('opened 2,000 streams', () => openListeners(product.urls.web, tokens, note))
  const tookMs = performance.now() - startedAt
  await closers.add(async () => listeners.close())
  await sleep(2000)
  return { listeners, tookMs, bytesEach: (memoryOf(product) - before) / tokens.length }
}

/** The same events over the same bus, with nothing behind it: what the gateway cannot be faster than. */
async function readAlone(bus: Bus, { noteAlone }: Stopwatch, closers: Closers): Promise<void> {
  const reader = await readStream(bus, {
    stream: 'EVENTS',
    filter: 'event.*.*',
    start: { from: 'new' },
    onMessage: ({ text }) => noteAlone(JSON.parse(text).alertId),
  })
  await closers.add(async () => reader.stop())
}

type PublishEvents = (userId: UserId) => Promise<string>

function publisher(executor: Bus, { late, sentAt }: Stopwatch): PublishEvents {
  let published = 0
  return async (userId) => {
    const event = someEvent(userId, published++)
    late.set(event.alertId, [])
    sentAt.set(event.alertId, performance.now())
    const options = { messageId: event.eventId, attemptMs: 2000, deadlineMs: 5000 }
    await store(executor, eventSubject(userId, event.botId), JSON.stringify(event), options)
    return event.alertId
  }
}

/** Returns the delays of these events at every stream, once they have come. */
async function complete(
  listeners: Listeners,
  { late }: Stopwatch,
  alertIds: readonly string[],
): Promise<number[]> {
  const isComplete = (id: string): boolean => listeners.received(id) === streamsEach
  await waitUntil(() => alertIds.every(isComplete), { deadlineMs: 30_000, intervalMs: 20 })
  return alertIds.flatMap((id) => late.get(id) ?? [])
}

function row(name: string, values: readonly number[]): string[] {
  const { p50, p99, count } = summarize(values)
  return [name, p50.toFixed(0), p99.toFixed(0), String(count)]
}

function report({ tookMs, bytesEach }: Opened, rows: string[][]): string {
  const opened = `opened in ${(tookMs / 1000).toFixed(1)} s; ${(bytesEach / 1024).toFixed(1)} KiB of memory each`
  return [
    `${people * streamsEach} streams of ${people} users on one gateway, ${opened}.`,
    'From sending an event to its arrival at a stream, in µs:',
    '',
    textTable(['', 'p50', 'p99', 'arrivals'], rows),
    '',
  ].join('\n')
}

async function join(product: Product, user: BusUser, closers: Closers): Promise<Bus> {
  const { busSeeds } = localKeys(product.dataDir)
  const log = createLog('bench', 'warn')
  const bus = await connectBus({ url: product.servers.nats.url, user, seed: busSeeds[user], log })
  await closers.add(bus.close)
  return bus
}

async function publishSteadily(
  { steady, perSecond }: { steady: number; perSecond: number },
  userIds: readonly UserId[],
  publish: PublishEvents,
): Promise<string[]> {
  const startedAt = performance.now()
  const publishing: Promise<string>[] = []
  for (let index = 0; index < steady; index++) {
    const dueInMs = startedAt + (index * 1000) / perSecond - performance.now()
    if (dueInMs > 0) await sleep(dueInMs)
    const userId = userIds[index % userIds.length]
    if (userId !== undefined) publishing.push(publish(userId))
  }
  return await Promise.all(publishing)
}

const botId = BotId.parse(randomUUID())

function someEvent(userId: UserId, number: number): Extract<ExecutionEvent, { kind: 'command.started' }> {
  const alertId = AlertId.parse(`01KAJ${String(number).padStart(21, '0')}`)
  const executionId = executionIdOf(alertId, 0)
  const place = { executionId, botId, label: 'MyBot', exchange: 'paper_futures', symbol: 'BTCUSDT' } as const
  const eventId = eventIdOf(executionId, 0, 'started')
  return {
    kind: 'command.started',
    eventId,
    at: Date.now(),
    userId,
    alertId,
    ...place,
    command: 0,
    type: 'market',
  }
}

/** Returns the memory of the gateway's process, in bytes. */
function memoryOf(product: Product): number {
  const pid = recordedPid(path.join(product.dataDir, 'pids', 'gateway.json'))
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kib === undefined) throw new Error('The memory of the gateway cannot be read')
  return Number(kib) * 1024
}
