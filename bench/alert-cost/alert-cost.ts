import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus/bus'
import type { Performance } from '@tripline/proto/http/webhook'
import type { Closers } from '@tripline/testkit/closers'
import { paperControl } from '@tripline/testkit/paper-control'
import { phase } from '@tripline/testkit/progress'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitUntil } from '@tripline/testkit/wait-until'
import { bursts, type Load, steady } from '../alert-to-order/loads.ts'
import { arrivalsOf } from '../alert-to-order/measure.ts'
import { alternatingOrders, productSender, type Row } from '../alert-to-order/rows.ts'
import { openTraders, type Trader } from '../alert-to-order/traders.ts'
import { microsecondsBetween } from '../alert-to-order/wall-clock.ts'
import { operatorBus } from '../operator-bus.ts'
import { median, type Summary, summarize } from '../statistics.ts'
import { textTable } from '../table.ts'
import { type Doctor, newDoctor } from '../vitals/vitals.ts'
import { busMessages } from './bus-messages.ts'
import { processorTime } from './processor-time.ts'

const warmUp: readonly Load[] = [bursts(40, 15), steady(80, 240)]
// All keep a private stream where answers lack mean prices, and none comes near to what a webhook may send.
const traders = 190
const plans = {
  full: { rounds: 3, load: steady(80, 1200) },
  quick: { rounds: 1, load: steady(80, 240) },
} as const
// By then everything that follows an alert is done, history included.
const quietMs = 1500
/** Processes that an order waits for, whose pauses are counted. */
const onTheWay = ['intake', 'executor'] as const
const longPauseMs = 10

/** A product and the exchange that it trades at. */
interface Variant {
  /** Exchange: USDⓈ-M answers orders without their mean price since 2026-06-30, until when no account needed a private stream. */
  terms: { meanPrices?: true }
  /** Whether the bus writes through to the disk. */
  syncsBus: boolean
}

const variants = {
  'exchange as today': { terms: {}, syncsBus: false },
  'exchange until 2026-06-30': { terms: { meanPrices: true }, syncsBus: false },
  'exchange as today, a bus that syncs': { terms: {}, syncsBus: true },
} as const satisfies Record<string, Variant>

/** The cost of one alert in one round. */
interface Cost {
  /** Processor time by process, in ms. */
  used: ReadonlyMap<string, number>
  /** Pauses for the collection of garbage by process, in ms. */
  pauses: ReadonlyMap<string, readonly number[]>
  /** Messages of the bus, by where they went. */
  messages: ReadonlyMap<string, number>
  /** Both in µs. */
  arrival: Summary
  toWire: Summary
}

interface Measuring {
  product: Product
  doctor: Doctor
  bus: Bus
  send: Row['send']
}

/** Measures what one alert costs each process, at a load that leaves the machine air; returns the tables of each variant. */
export async function alertCost(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const { rounds, load } = plans[pace]
  const [usual, syncing] = [await openProduct(false, closers), await openProduct(true, closers)]
  const measurings = new Map<string, Measuring>()
  for (const [name, { terms, syncsBus }] of Object.entries<Variant>(variants)) {
    const opened = syncsBus ? syncing : usual
    const { product, bus } = opened
    const people = await phase(`linked Paper bots: ${name}`, () => openPeople(product, bus, terms))
    const send = productSender(product.urls.intake, alternatingOrders(people), closers)
    measurings.set(name, { ...opened, send })
  }
  await phase('warmed up', async () => {
    for (const some of warmUp) for (const measuring of measurings.values()) await costOf(measuring, some)
  })
  const costs = new Map<string, Cost[]>([...measurings.keys()].map((name) => [name, []]))
  await phase('measured', async () => {
    for (let round = 0; round < rounds; round++)
      for (const [name, measuring] of measurings) costs.get(name)?.push(await costOf(measuring, load))
  })
  return [...costs].map(([name, of]) => report(name, of, load)).join('\n')
}

async function openProduct(syncsBus: boolean, closers: Closers): Promise<Omit<Measuring, 'send'>> {
  const doctor = await newDoctor(closers)
  const { env } = doctor
  const product = await startProduct({ ephemeral: true, ownServers: true, syncsBus, env, closers, phase })
  return { product, doctor, bus: await operatorBus(product.dataDir, product.servers.nats.url, closers) }
}

async function openPeople(product: Product, bus: Bus, terms: Variant['terms']): Promise<readonly Trader[]> {
  const people = await openTraders(product, bus, traders)
  const { setTerms } = paperControl(product.urls.paper)
  for (const { apiKeys } of people) for (const apiKey of apiKeys) await setTerms(apiKey, terms)
  return people
}

async function costOf({ product, doctor, bus, send }: Measuring, load: Load): Promise<Cost> {
  await doctor.examineAll(product.dataDir, onTheWay)
  const messagesBefore = await busMessages(product.dataDir, bus)
  const before = processorTime(product.dataDir)
  const shots = await load.run(send)
  const isDone = async (): Promise<boolean> => (await bus.manager.streams.info('ALERTS')).state.messages === 0
  await waitUntil(isDone, { deadlineMs: 60_000, intervalMs: 50, awaited: 'the end of all alerts' })
  await sleep(quietMs)
  const after = processorTime(product.dataDir)
  const vitals = await doctor.examineAll(product.dataDir, onTheWay)
  const messages = await busMessages(product.dataDir, bus)
  const arrivals = await arrivalsOf(product.urls.paper, shots)
  return {
    used: forOne(before, after, shots.length),
    pauses: new Map([...vitals].map(([name, { pauses }]) => [name, pauses])),
    messages: forOne(messagesBefore, messages, shots.length),
    arrival: summarize(shots.map(({ sentNs }, index) => microsecondsBetween(sentNs, arrivals[index] ?? 0n))),
    toWire: summarize(shots.flatMap(({ performance }) => toWireOf(performance))),
  }
}

/** Returns the share of one of so many alerts in what grew meanwhile, by its names. */
function forOne(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  alerts: number,
): Map<string, number> {
  return new Map([...after].map(([name, sum]) => [name, (sum - (before.get(name) ?? 0)) / alerts]))
}

/** Nothing for an alert that was answered before it was executed. */
function toWireOf({ read_ms, queue_ms, check_ms, plan_ms }: Partial<Performance> = {}): number[] {
  const stages = [read_ms, queue_ms, check_ms, plan_ms].filter((ms) => ms !== undefined)
  return stages.length < 4 ? [] : [1000 * stages.reduce((sum, ms) => sum + ms, 0)]
}

/** Returns the time of all pauses for an alert, how many of them are long, and the longest. */
function pausesOf(process: string, costs: readonly Cost[]): string[] {
  const rounds = costs.map(({ pauses, arrival: { count } }) => ({ pauses: pauses.get(process) ?? [], count }))
  const means = rounds.map(({ pauses, count }) => pauses.reduce((sum, ms) => sum + ms, 0) / count)
  const long = rounds.map(({ pauses }) => pauses.filter((ms) => ms >= longPauseMs).length)
  const longest = rounds.map(({ pauses }) => Math.max(0, ...pauses))
  return [median(means).toFixed(2), median(long).toFixed(0), median(longest).toFixed(0)]
}

function report(name: string, costs: readonly Cost[], load: Load): string {
  const middle = (of: (cost: Cost) => number, digits: number): string => median(costs.map(of)).toFixed(digits)
  const rowsOf = (of: (cost: Cost) => ReadonlyMap<string, number>): string[][] =>
    [...(costs[0] === undefined ? [] : of(costs[0]).keys())].map((key) => [
      key,
      middle((cost) => of(cost).get(key) ?? 0, 2),
    ])
  const whole = middle(({ used }) => [...used.values()].reduce((sum, ms) => sum + ms, 0), 2)
  return [
    `\nFor one alert at ${load.name}, ${name}, medians of ${costs.length} rounds.`,
    '',
    textTable(['processor time, ms', ''], [['all', whole], ...rowsOf(({ used }) => used)]),
    '',
    textTable(
      ['', 'p50', 'p99'],
      [
        [
          'sending to arrival, µs',
          middle(({ arrival }) => arrival.p50, 0),
          middle(({ arrival }) => arrival.p99, 0),
        ],
        ['receipt to wire, µs', middle(({ toWire }) => toWire.p50, 0), middle(({ toWire }) => toWire.p99, 0)],
      ],
    ),
    '',
    textTable(
      ['garbage collected', 'ms for an alert', `pauses >= ${longPauseMs} ms`, 'longest, ms'],
      onTheWay.map((process) => [process, ...pausesOf(process, costs)]),
    ),
    '',
    textTable(
      ['messages of the bus', ''],
      rowsOf(({ messages }) => messages),
    ),
    '',
  ].join('\n')
}
