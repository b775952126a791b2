import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Closers, closers as newClosers } from '@tripline/testkit/closers'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { phase } from '@tripline/testkit/progress'
import { randomOf } from '@tripline/testkit/random'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { serviceNames } from '@tripline/testkit/stack/services'
import { waitUntil } from '@tripline/testkit/wait-until'
import { readJournal } from '../alert-to-order/paper.ts'
import { operatorBus } from '../operator-bus.ts'
import type { Sent } from '../soak/check-window.ts'
import { sendOnAndOn } from '../soak/senders.ts'
import { textTable } from '../table.ts'
import { type Judgement, judge } from './judge.ts'
import { backUp, destroy, ops, restore } from './operator.ts'
import { type Person, readHistory, registerPeople } from './people.ts'
import { startVenue } from './venue.ts'

/** The time for which alerts flow before the back-up and again after it, the number of senders, and their messages. */
export interface DrillOptions {
  seconds: number
  users: number
  seed: number
}

/** An order of which nothing can be found out is given up after a minute. */
const endsWithinMs = 180_000

interface Sending {
  sent: Sent[]
  stop: () => Promise<void>
}

/** Backs a product up while alerts flow, loses all of it but the exchange, and restores it into an empty folder. */
export async function drill(
  options: DrillOptions,
  closers: Closers,
): Promise<{ report: string; violations: string[] }> {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  const [lost, found, saved] = ['lost', 'found', 'back-up'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  const paper = await startVenue(path.join(folder, 'exchange'), lost, closers)
  const { people, before, sent } = await live({ ...options, dataDir: lost, paper, saved }, closers)
  console.log(await phase('restored into an empty folder', () => restore(saved, found)))
  const product = await start(found, paper, closers)
  await untilAlertsEnded(product, closers)
  const closed = await phase('ended what was lost while it ran', () => ops(serversOf(product), 'close-lost'))
  console.log(closed)
  const fresh = await phase('sent an alert of everybody', () => sendFresh(product, people))
  const history = await historyOf(product, people, fresh)
  const journal = await ordersPlaced(product)
  const judgement = judge({ before, after: sent.slice(before.length), fresh, journal, history })
  return { report: reportOf(judgement), violations: judgement.violations }
}

/** The life of the product up to its end: alerts flow, it is backed up under way, and everything of it is lost. */
async function live(
  {
    seconds,
    users,
    seed,
    dataDir,
    paper,
    saved,
  }: DrillOptions & { dataDir: string; paper: number; saved: string },
  closers: Closers,
): Promise<{ people: Person[]; before: Sent[]; sent: Sent[] }> {
  const own = newClosers()
  await closers.add(own.close)
  const product = await start(dataDir, paper, own)
  const people = await phase('registered people with Paper bots', () =>
    registerPeople(product.urls.web, users),
  )
  const { sent, stop } = send(product, people, seed)
  await phase('let alerts flow', () => sleep(seconds * 1000))
  const before = [...sent]
  await phase('backed up while they flow on', () => backUp(serversOf(product), saved))
  await phase('let alerts flow', () => sleep(seconds * 1000))
  await stop()
  await phase('killed everything and removed its folder', () => destroy(product))
  await own.close()
  return { people, before, sent }
}

async function start(dataDir: string, paper: number, closers: Closers): Promise<Product> {
  const services = serviceNames.filter((name) => name !== 'paper-exchange')
  return await startProduct({
    dataDir,
    ports: { paper },
    services,
    ephemeral: true,
    ownServers: true,
    closers,
    phase,
  })
}

function serversOf({ dataDir, servers: { nats, postgres } }: Product) {
  return { dataDir, natsUrl: nats.url, databaseUrl: postgres.url }
}

function send({ urls }: Product, people: readonly Person[], seed: number): Sending {
  const ending = new AbortController()
  const sent: Sent[] = []
  const sending = sendOnAndOn([urls.intake], people, randomOf(seed), {
    sent,
    answered: [],
    stopping: ending.signal,
  })
  return {
    sent,
    stop: async () => {
      ending.abort()
      await sending
    },
  }
}

async function untilAlertsEnded({ dataDir, servers }: Product, closers: Closers): Promise<void> {
  const bus = await operatorBus(dataDir, servers.nats.url, closers)
  const isEmpty = async () => (await bus.manager.streams.info('ALERTS')).state.messages === 0
  await phase('found the results of restored alerts', () =>
    waitUntil(isEmpty, { deadlineMs: endsWithinMs, intervalMs: 100, awaited: 'alerts to end' }),
  )
}

/** Lets everybody send one more alert, and waits for what comes of it. */
async function sendFresh({ urls }: Product, people: readonly Person[]): Promise<Sent[]> {
  const answers = people.map(async ({ webhookPath, labels: [label] }) => {
    const url = new URL(`${webhookPath}?wait=60000`, urls.intake)
    const response = await fetch(url, { method: 'POST', body: `${label}(BTCUSDT) { market(buy, 0.01) }` })
    const { alert_id: alertId } = (await response.json()) as { alert_id: string }
    const wanted = { clientOrderId: `t${alertId}00000`, executionId: `${alertId}-0`, lane: undefined }
    return { isAccepted: response.ok, wanted: [wanted] }
  })
  return await Promise.all(answers)
}

/** Returns the history once it has every end, also of the alerts sent last; else after the longest time. */
async function historyOf({ urls }: Product, people: readonly Person[], last: readonly Sent[]) {
  const awaited = last.flatMap(({ wanted }) => wanted.map(({ executionId }) => executionId))
  const read = async () => (await Promise.all(people.map((one) => readHistory(urls.web, one)))).flat()
  return await waitUntil(
    async () => {
      const history = await read()
      const listed = new Set<string>(history.map(({ id }) => id))
      const isWhole = awaited.every((executionId) => listed.has(executionId))
      return isWhole && history.every((one) => one.overall_status !== 'running') && history
    },
    { deadlineMs: 60_000, intervalMs: 500, awaited: 'history to have every end' },
  ).catch(read)
}

async function ordersPlaced({ urls }: Product): Promise<string[]> {
  const entries = await readJournal(urls.paper)
  return entries.flatMap(({ op, outcome, clientOrderId }) =>
    op === 'place' && outcome === 'accepted' ? [clientOrderId ?? ''] : [],
  )
}

function reportOf({ counts }: Judgement): string {
  return textTable(
    ['after the restore', 'count'],
    Object.entries(counts).map(([name, count]) => [name, `${count}`]),
  )
}
