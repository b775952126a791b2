import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Bus } from '@tripline/kit/bus/bus'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { crowdTargetOf, type Member, openCrowd, operatorBus } from '@tripline/testkit/people/crowd'
import { secondExecutor } from '@tripline/testkit/second-executor'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import type { ServiceProcess } from '@tripline/testkit/stack/service-process'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Shares, watchShares } from './shares.ts'
import { byLane, executionEnds, isRepeated, type LaneOrder, placedOrders } from './what-came.ts'

const users = 20
const botsEach = 10
/** The wait of a user between two alerts: a webhook takes 60 a minute. */
const paceMs = 1050
/** The number of alerts before the next blow. */
const alertsBetweenBlows = 60

let product: Product
let second: ServiceProcess
let ops: Bus
let crowd: Member[]
let shares: Shares
const wanted: LaneOrder[] = []
let sent = 0

beforeAll(async () => {
  product = await startProduct({ ephemeral: true, services: ['paper-exchange', 'intake', 'executor'] })
  ops = await operatorBus(product)
  shares = await watchShares(ops)
  crowd = await openCrowd(crowdTargetOf(product), ops, users, botsEach)
  second = await secondExecutor(product)
  await second.start()
}, 120_000)
afterAll(async () => {
  shares?.stop()
  await second?.stop()
  await ops?.close()
  await product?.stop()
}, 60_000)

test('of executors under load one is killed, one is added, one drains, the last is killed: every order once, in order', async () => {
  await shares.sharedBetween(2)
  const sending = new AbortController()
  const senders = crowd.map(async (member, index) => await sendOnAndOn(member, index, sending.signal))
  await moreAlerts()
  await product.kill('executor')
  await moreAlerts()
  await product.restart('executor')
  await shares.sharedBetween(2)
  await moreAlerts()
  await second.stop()
  await shares.sharedBetween(1)
  await moreAlerts()
  await product.kill('executor')
  await moreAlerts()
  await product.restart('executor')
  await moreAlerts()
  sending.abort()
  await Promise.all(senders)
  await waitFor(async () => (await ops.manager.streams.info('ALERTS')).state.messages === 0, {
    deadlineMs: 60_000,
  })
  const ends = await executionEnds(ops)
  expect(ends.filter(({ status }) => status !== 'success')).toEqual([])
  expect(new Set(ends.map(({ executionId }) => executionId)).size).toBe(ends.length)
  const placed = await placedOrders(product.urls.paper)
  expect(placed.filter(isRepeated)).toEqual([])
  // On a machine that stalls a request may come too late, be refused for it, and be signed anew.
  const accepted = placed.filter(({ outcome }) => outcome === 'accepted')
  expect(byLane(accepted.map(({ order }) => ({ lane: laneOf(order), order })))).toEqual(byLane(wanted))
}, 400_000)

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
  const { alert_id: alertId } = WebhookAnswer.pick({ alert_id: true }).parse(await response.json())
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
