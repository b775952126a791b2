import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus/bus'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import type { Closers } from '@tripline/testkit/closers'
import { phase } from '@tripline/testkit/progress'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { storedEvents } from '@tripline/testkit/stored-events'
import { waitUntil } from '@tripline/testkit/wait-until'
import { steady } from '../alert-to-order/loads.ts'
import { type Entry, takeJournal } from '../alert-to-order/paper.ts'
import { alternatingOrders, openShooter, type Shot } from '../alert-to-order/rows.ts'
import { openTraders } from '../alert-to-order/traders.ts'
import { microsecondsBetween, nowNs } from '../alert-to-order/wall-clock.ts'
import { openAll } from '../many-bots/warm-bots.ts'
import { operatorBus } from '../operator-bus.ts'
import { percentile } from '../statistics.ts'
import { textTable } from '../table.ts'
import { readVenueRequests, requestsBetween, requestTable, type VenueRequests } from './venue-requests.ts'

const plans = {
  full: { users: 300, waiting: 500, rounds: 5 },
  quick: { users: 60, waiting: 100, rounds: 1 },
}
/** The flow of alerts before, during and after the kill. */
const flow = { perSecond: 20, count: 300 }
const flowBeforeMs = 2000
/** The number of waiting alerts that are sent at once. */
const senders = 50

interface Stage {
  product: Product
  bus: Bus
  send: () => Promise<Shot>
}

/** The figures of one kill, in ms from the kill. */
interface Takeover {
  /** Until all that was to wait was stored. */
  stored: number
  /** Until the first order of an alert that came behind the kill was at the exchange. */
  next: number
  /** Until the order of each alert that waited was there. */
  waited: number[]
  /** Until the last of those was there, at Paper and at Bybit. */
  lastPaper: number
  lastBybit: number
  /** Until that of each alert was there that flowed on meanwhile. */
  flowed: number[]
  failed: number
  doubled: number
  lost: number
  /** Requests to the exchange from the kill until all was run. */
  requests: VenueRequests
}

/** Measures how long nothing trades when the only executor is killed, with alerts of half Paper and half Bybit bots waiting. */
export async function takeover(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const { users, waiting, rounds } = plans[pace]
  const stage = await phase('set the stage', () => setStage(users, closers))
  const takeovers: Takeover[] = []
  for (let round = 0; round < rounds; round++)
    takeovers.push(await phase(`killed, with ${waiting} alerts waiting`, () => killOnce(stage, waiting)))
  return `\n${report(takeovers)}\n`
}

async function setStage(users: number, closers: Closers): Promise<Stage> {
  const product = await startProduct({ ephemeral: true, ownServers: true, closers })
  const bus = await operatorBus(product.dataDir, product.servers.nats.url, closers)
  const traders = await openAll(product, users, async () => [
    ...(await openTraders(product, bus, Math.floor(users / 2))),
    ...(await openTraders(product, bus, Math.ceil(users / 2), 1, 'bybit')),
  ])
  const shoot = openShooter(product.urls.intake, closers)
  const orders = alternatingOrders(traders)
  const send = async (): Promise<Shot> => {
    const { path, body } = orders()
    const { sentNs, answer } = await shoot({ path: `${path}?wait=0`, body })
    return { sentNs, orderKey: `t${WebhookAnswer.pick({ alert_id: true }).parse(answer).alert_id}` }
  }
  for (let sent = 0; sent < users; sent += senders) await Promise.all(Array.from({ length: senders }, send))
  await allRun(bus)
  return { product, bus, send }
}

async function killOnce({ product, bus, send }: Stage, waiting: number): Promise<Takeover> {
  await takeJournal(product.urls.paper)
  const from = (await lastSequence(bus, 'EVENTS')) + 1
  const flowing = steady(flow.perSecond, flow.count).run(send)
  await sleep(flowBeforeMs)
  const requestsBefore = await readVenueRequests(product.urls.paper)
  const killedNs = nowNs()
  await product.kill('executor')
  const restarting = product.restart('executor')
  const waited = await atOnce(waiting, send)
  const stored = msBetween(killedNs, nowNs())
  await restarting
  const flowed = (await flowing).filter(({ sentNs }) => sentNs > killedNs)
  await allRun(bus)
  const requests = requestsBetween(requestsBefore, await readVenueRequests(product.urls.paper))
  const accepted = (await takeJournal(product.urls.paper)).filter(({ outcome }) => outcome === 'accepted')
  const arrivals = Map.groupBy(accepted, ({ clientOrderId }) => clientOrderId?.slice(0, 27) ?? '')
  const entriesOf = ({ orderKey }: Shot): Entry[] => arrivals.get(orderKey) ?? []
  const sinceKill = ({ receivedNs }: Entry): number => msBetween(killedNs, receivedNs)
  const arrival = (shot: Shot): number[] => entriesOf(shot).map(sinceKill)
  const isBybit = ({ wire }: Entry): boolean => wire === 'bybit'
  const [ofBybit = [], ofPaper = []] = [isBybit, (entry: Entry) => !isBybit(entry)].map((isMeant) =>
    waited.flatMap(entriesOf).filter(isMeant).map(sinceKill),
  )
  const shots = [...(await flowing), ...waited]
  const failures = await failuresSince(bus, from)
  return {
    stored,
    next: Math.min(...[...waited, ...flowed].flatMap(arrival)),
    waited: waited.flatMap(arrival),
    lastPaper: Math.max(...ofPaper),
    lastBybit: Math.max(...ofBybit),
    flowed: flowed.flatMap(arrival),
    failed: shots.filter(({ orderKey }) => failures.has(orderKey)).length,
    doubled: shots.filter(({ orderKey }) => (arrivals.get(orderKey)?.length ?? 0) > 1).length,
    lost: shots.filter(({ orderKey }) => !arrivals.has(orderKey) && !failures.has(orderKey)).length,
    requests,
  }
}

async function atOnce(count: number, send: () => Promise<Shot>): Promise<Shot[]> {
  const shots: Shot[] = []
  let left = count
  const sendOn = async (): Promise<void> => {
    while (left-- > 0) shots.push(await send())
  }
  await Promise.all(Array.from({ length: senders }, sendOn))
  return shots
}

async function allRun(bus: Bus): Promise<void> {
  const areRun = async () => (await bus.manager.streams.info('ALERTS')).state.messages === 0
  await waitUntil(areRun, { deadlineMs: 300_000, intervalMs: 100, awaited: 'all alerts to be run' })
}

/** The alerts that ended in anything but success, as too old ones do. */
async function failuresSince(bus: Bus, sequence: number): Promise<Set<string>> {
  const events = await storedEvents(bus, { from: sequence })
  return new Set(
    events.flatMap((event) => {
      const hasFailed = event.kind === 'execution.finished' && event.status !== 'success'
      return hasFailed || event.kind === 'alert.refused' ? [`t${event.alertId}`] : []
    }),
  )
}

function msBetween(from: bigint, to: bigint): number {
  return microsecondsBetween(from, to) / 1000
}

function report(takeovers: readonly Takeover[]): string {
  const line = (name: string, values: readonly number[]): string[] => [
    name,
    ...[0.5, 0.9, 1].map((share) => percentile(values, share).toFixed(0)),
    `${values.length}`,
  ]
  const table = textTable(
    ['from the kill, ms', 'p50', 'p90', 'most', 'count'],
    [
      line(
        'all that waits is stored',
        takeovers.map(({ stored }) => stored),
      ),
      line(
        'the next order at the exchange',
        takeovers.map(({ next }) => next),
      ),
      line(
        'the order of an alert that waits',
        takeovers.flatMap(({ waited }) => waited),
      ),
      line(
        'the last one of these at Paper',
        takeovers.map(({ lastPaper }) => lastPaper),
      ),
      line(
        'the last one of these at Bybit',
        takeovers.map(({ lastBybit }) => lastBybit),
      ),
      line(
        'the order of an alert that comes later',
        takeovers.flatMap(({ flowed }) => flowed),
      ),
    ],
  )
  const sum = (of: (takeover: Takeover) => number): number =>
    takeovers.reduce((total, each) => total + of(each), 0)
  const counts = `failed or too old ${sum(({ failed }) => failed)}, doubled ${sum(({ doubled }) => doubled)}, lost ${sum(({ lost }) => lost)}`
  return `${table}\n${counts}\n\n${requestTable(takeovers.map(({ requests }) => requests))}`
}
