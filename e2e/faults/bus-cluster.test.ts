import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { servesStreams } from '@tripline/kit/bus/better-servers'
import { readBucket } from '@tripline/kit/bus/bucket'
import { type Bus, streamUse } from '@tripline/kit/bus/bus'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { type ClusterServer, natsCluster, type TestCluster } from '@tripline/testkit/nats-cluster'
import { crowdTargetOf, type Member, openCrowd } from '@tripline/testkit/people/crowd'
import { secondExecutor } from '@tripline/testkit/second-executor'
import { isLongRun } from '@tripline/testkit/seed'
import { localKeys } from '@tripline/testkit/stack/local-keys'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import type { ServiceProcess } from '@tripline/testkit/stack/service-process'
import { waitFor } from '@tripline/testkit/wait-for'
import { watchShares } from './shares.ts'
import { isRepeated, placedOrders } from './what-came.ts'

const users = 12
const paceMs = 150
/** As a charting platform sends again what was not taken. */
const resendMs = 5000
const attempts = 4
const answerMs = 3500
/** So many accepted in a row, each at its first attempt, are a whole product. */
const wholeAfter = 10
/** The streams and buckets that an alert needs. */
const essential = ['ALERTS', 'EVENTS', 'KV_leases', 'KV_config', 'KV_members']
const patience = { deadlineMs: 180_000 }

interface Sent {
  at: number
  /** Whether its first attempt was answered with what it came to, once that is known. */
  isFirstGood: boolean | undefined
  ids: Set<string>
  isAccepted: boolean
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let cluster: TestCluster
let product: Product
let second: ServiceProcess
let ops: Bus
let crowd: Member[]
const deaths: string[] = []
const sent: Sent[] = []
const sending = new AbortController()
let sender: Promise<void> | undefined

beforeAll(async () => {
  folder = await temporaryFolder()
  const { folder: dataDir } = folder
  cluster = await natsCluster(localKeys(dataDir).busSeeds)
  product = await withEnvironment({ NATS_URL: cluster.allUrls, NATS_REPLICAS: '3' }, async () =>
    startProduct({
      dataDir,
      services: ['paper-exchange', 'intake', 'executor'],
      onDeath: (service, how) => deaths.push(`${service} ${how}`),
    }),
  )
  ops = await cluster.connect('ops', cluster.allUrls)
  second = await secondExecutor(product, (how) => deaths.push(`second executor ${how}`))
  await second.start()
  crowd = await openCrowd(crowdTargetOf(product), ops, users, 1)
  sender = sendOnAndOn()
  // A process that starts while copies are still made may have to start again: both executors are there by then.
  const shares = await watchShares(ops)
  await shares.sharedBetween(2)
  shares.stop()
  const shared = performance.now()
  await waitFor(() => isWholeSince(shared) !== undefined)
  deaths.length = 0
}, 180_000)
afterAll(async () => {
  sending.abort()
  await sender
  await second?.stop()
  await product?.stop()
  await cluster?.stop()
  await folder?.remove()
}, 90_000)

test('servers of the bus cut off, frozen and killed as leaders: nothing lost or doubled', async () => {
  // Processes are connected to any of them: those of the one that is cut off have to go to another.
  if (isLongRun) for (const server of cluster.servers) await struck(async () => server, cutOff)
  else await struck(leader, cutOff)
  await struck(leader, freeze)
  await struck(leader, kill)
  sending.abort()
  await sender
  await waitFor(async () => (await ops.manager.streams.info('ALERTS')).state.messages === 0, {
    deadlineMs: 90_000,
  })
  const placed = await placedOrders(product.urls.paper)
  const accepted = placed.filter(({ outcome }) => outcome === 'accepted')
  const ordersOf = Map.groupBy(accepted, ({ order }) => order.slice(0, 26))
  const count = ({ ids }: Sent): number =>
    [...ids].reduce((sum, id) => sum + (ordersOf.get(id)?.length ?? 0), 0)
  expect(placed.filter(isRepeated)).toEqual([])
  expect(sent.filter((one) => count(one) > 1)).toEqual([])
  expect(sent.filter((one) => one.isAccepted && count(one) !== 1)).toEqual([])
  // An executor from which another took partitions while its server was cut off ends itself, and is started again.
  expect(deaths.filter((death) => !death.endsWith('executor code 1'))).toEqual([])
}, 1_800_000)

/** Waits for copies that are all there, strikes a server, and waits until the product is whole all the same. */
async function struck(
  chosen: () => Promise<ClusterServer>,
  strike: (server: ClusterServer) => (() => void) | Promise<() => Promise<void>>,
): Promise<void> {
  await waitFor(async () => {
    const uses = await Promise.all(essential.map(async (stream) => await streamUse(ops, stream)))
    return uses.every(({ copiesBehind }) => copiesBehind === 0)
  }, patience)
  const server = await chosen()
  const at = performance.now()
  const heal = await strike(server)
  try {
    // Alerts that were under way at the blow show nothing of the time after it.
    await sleep(answerMs)
    const wholeAt = await waitFor(() => isWholeSince(at), patience)
    await waitFor(async () => await servesStreams(ops.connection), patience)
    await executorsBeat()
    const times = { whole: Math.round(wholeAt - at), beating: Math.round(performance.now() - at) }
    process.stdout.write(`${strike.name} ${server.name}: ${JSON.stringify(times)}\n`)
  } finally {
    await heal()
  }
}

async function cutOff(server: ClusterServer): Promise<() => Promise<void>> {
  await server.cutOff(true)
  return async () => await server.cutOff(false)
}

function freeze(server: ClusterServer): () => void {
  server.freeze(true)
  return () => server.freeze(false)
}

function kill(server: ClusterServer): () => void {
  server.kill()
  return () => undefined
}

/** Settles once both executors have written to the bus from now on. */
async function executorsBeat(): Promise<void> {
  const from = await waitFor(async () => await lastSequence(ops, 'KV_members'), patience)
  await waitFor(async () => {
    const members = await readBucket(ops, 'members')
    return members.filter(({ revision }) => revision > from).length === 2
  }, patience)
}

/** The server that leads the leases. */
async function leader(): Promise<ClusterServer> {
  return await waitFor(async () => {
    const name = await cluster.leaderOf('KV_leases')
    return cluster.servers.find((server) => server.name === name)
  }, patience)
}

/** Acts with these variables, and leaves the others and what was before as they are. */
async function withEnvironment<Value>(
  given: Record<string, string>,
  act: () => Promise<Value>,
): Promise<Value> {
  const before = Object.keys(given).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, given)
  try {
    return await act()
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** When the first of enough alerts in a row was sent that were each accepted at once, after this moment. */
function isWholeSince(from: number): number | undefined {
  const since = sent.filter(({ at }) => at >= from)
  for (let index = 0; index + wholeAfter <= since.length; index++) {
    const row = since.slice(index, index + wholeAfter)
    if (row.every(({ isFirstGood }) => isFirstGood === true)) return row[0]?.at
  }
  return undefined
}

async function sendOnAndOn(): Promise<void> {
  const all: Promise<void>[] = []
  for (let count = 0; !sending.signal.aborted; count++) {
    const member = crowd[count % crowd.length]
    if (member !== undefined) all.push(send(member, count))
    await sleep(paceMs, undefined, { signal: sending.signal }).catch(() => undefined)
  }
  await Promise.all(all)
}

async function send({ webhookUrl, labels: [label] }: Member, count: number): Promise<void> {
  const side = Math.floor(count / users) % 2 === 0 ? 'buy' : 'sell'
  // Its alerts overlap in a lane, where only an id distinguishes a resend from a new alert.
  const body = `@id ${count}\n${label}(BTCUSDT) { market(${side}, 0.01) }`
  const one: Sent = { at: performance.now(), isFirstGood: undefined, ids: new Set(), isAccepted: false }
  sent.push(one)
  for (let attempt = 0; attempt < attempts && !one.isAccepted; attempt++) {
    if (attempt > 0) await sleep(resendMs)
    const status = await post(webhookUrl, body, one.ids)
    one.isAccepted = status >= 200 && status < 300
    // An alert that was executed within its answer's time shows a whole product; one that is merely stored does not.
    one.isFirstGood ??= status === 200
  }
}

const Answer = WebhookAnswer.pick({ alert_id: true }).partial()

/** The status of the answer, 0 where none came; what id the alert was given is noted in any case. */
async function post(url: string, body: string, ids: Set<string>): Promise<number> {
  try {
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(answerMs) })
    const { alert_id: id } = Answer.parse(await response.json())
    if (id !== undefined) ids.add(id)
    return response.status
  } catch {
    return 0
  }
}
