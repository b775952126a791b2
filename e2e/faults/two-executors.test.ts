import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { watchBucket } from '@tripline/kit/bucket'
import type { Bus } from '@tripline/kit/bus'
import { partitionCount } from '@tripline/proto/subject'
import { type Product, startProduct } from '@tripline/scripts/product'
import type { ServiceProcess } from '@tripline/scripts/service-process'
import { secondExecutor } from '@tripline/testkit/second-executor'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'
import { type Member, openCrowd, operatorBus, placeOf } from './crowd.ts'
import { byLane, executionEnds, isRepeated, type LaneOrder, placedOrders } from './what-came.ts'

const users = 20
const botsEach = 10
/** How long a user waits between two alerts: a webhook takes 60 a minute. */
const paceMs = 1050
/** How much has to happen before the next blow. */
const alertsBetweenBlows = 60

const Lease = z.object({ owner: z.string(), released: z.boolean() })

let product: Product
let second: ServiceProcess
let ops: Bus
let crowd: Member[]
let stopWatching: (() => void) | undefined
const wanted: LaneOrder[] = []
let sent = 0
const leases = new Map<string, z.infer<typeof Lease>>()

beforeAll(async () => {
  product = await startProduct({ ephemeral: true, services: ['paper-exchange', 'intake', 'executor'] })
  ops = await operatorBus(product)
  stopWatching = await watchBucket(ops, 'leases', ({ key, text }) =>
    leases.set(key, Lease.parse(JSON.parse(text ?? ''))),
  )
  crowd = await openCrowd(placeOf(product), ops, users, botsEach)
  second = await secondExecutor(product)
  await second.start()
}, 120_000)
afterAll(async () => {
  stopWatching?.()
  await second?.stop()
  await ops?.close()
  await product?.stop()
}, 60_000)

test('of executors under load one is killed, one is added, one drains: every order once and in order', async () => {
  await sharedBetween(2)
  const sending = new AbortController()
  const senders = crowd.map(async (member, index) => await sendOnAndOn(member, index, sending.signal))
  await moreAlerts()
  await product.kill('executor')
  await moreAlerts()
  await product.restart('executor')
  await sharedBetween(2)
  await moreAlerts()
  await second.stop()
  await sharedBetween(1)
  await moreAlerts()
  sending.abort()
  await Promise.all(senders)
  await waitFor(async () => (await ops.manager.streams.info('ALERTS')).state.messages === 0, {
    deadlineMs: 60_000,
  })
  const placed = await placedOrders(product.urls.paper)
  expect(placed.filter(isRepeated)).toEqual([])
  // On a machine that stalls a request may come too late, be refused for it, and be signed anew.
  const accepted = placed.filter(({ outcome }) => outcome === 'accepted')
  expect(byLane(accepted.map(({ order }) => ({ lane: laneOf(order), order })))).toEqual(byLane(wanted))
  const ends = await executionEnds(ops)
  expect(ends.filter(({ status }) => status !== 'success')).toEqual([])
  expect(new Set(ends.map(({ executionId }) => executionId)).size).toBe(ends.length)
}, 240_000)

/** Alerts of one user, two bots in each; the first one also waits, past whatever happens meanwhile. */
async function sendOnAndOn(
  { webhookUrl, labels }: Member,
  index: number,
  stopping: AbortSignal,
): Promise<void> {
  const labelAt = (place: number): string => labels[place % labels.length] ?? ''
  await sleep((paceMs * index) / users)
  for (let count = 0; !stopping.aborted; count++) {
    const side = count % 2 === 0 ? 'buy' : 'sell'
    const blocks = [count, count + 3].map((place) => `${labelAt(place)}(BTCUSDT) { market(${side}, 0.01) }`)
    if (count === 0) blocks.push(`${labelAt(0)}(ETHUSDT) { market(buy, 0.1); wait(9); market(sell, 0.1) }`)
    const alertId = await send(webhookUrl, blocks.join('\n'))
    const orders = ['00000', '10000', ...(count === 0 ? ['20000', '20200'] : [])]
    for (const place of orders) {
      const order = `${alertId}${place}`
      const block = Number(place[0])
      lanes.set(
        `${alertId}${block}`,
        block === 2 ? `${index} waits` : `${index} ${labelAt(count + 3 * block)}`,
      )
      wanted.push({ lane: laneOf(order), order })
    }
    sent++
    await sleep(paceMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

async function send(webhookUrl: string, message: string): Promise<string> {
  const response = await fetch(`${webhookUrl}?wait=0`, { method: 'POST', body: message })
  const { alert_id: alertId } = z.object({ alert_id: z.string() }).parse(await response.json())
  expect(response.status).toBeLessThan(300)
  return alertId
}

/** The lane of each block of each alert. */
const lanes = new Map<string, string>()

function laneOf(order: string): string {
  return lanes.get(order.slice(0, 27)) ?? `nobody's: ${order}`
}

async function moreAlerts(): Promise<void> {
  const until = sent + alertsBetweenBlows
  await waitFor(() => sent >= until, { deadlineMs: 60_000 })
}

/** Settles once so many executors hold all partitions, none more than another. */
async function sharedBetween(executors: number): Promise<void> {
  const isShared = (): boolean => {
    const held = [...leases.values()].filter(({ released }) => !released)
    const counts = Map.groupBy(held, ({ owner }) => owner)
    return (
      held.length === partitionCount &&
      [...counts.values()].every(({ length }) => length === partitionCount / executors)
    )
  }
  await waitFor(isShared, { deadlineMs: 60_000 })
}
