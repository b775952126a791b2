import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Bus } from '@tripline/kit/bus/bus'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { crowdTargetOf, type Member, openCrowd, operatorBus } from '@tripline/testkit/people/crowd'
import { isLongRun, seed } from '@tripline/testkit/seed'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Attempted, type CarefulSender, carefulSender } from './careful-sender.ts'
import { addFault, journal } from './crash.ts'

const users = isLongRun ? 100 : 40
const alertsEach = isLongRun ? 100 : 8
/** Those who hang up about when answers come; what is killed leaves enough unanswered in a short run. */
const impatient = isLongRun ? 0.6 : 0.3
/** A webhook takes 60 a minute, and an alert may come four times. */
const paceMs = 1100
const hangUpMs = 3000

let product: Product
let ops: Bus
let crowd: Member[]

beforeAll(async () => {
  product = await startProduct({
    ephemeral: true,
    ownServers: true,
    services: ['paper-exchange', 'intake', 'executor', 'gateway'],
  })
  ops = await operatorBus(product)
  const target = crowdTargetOf(product)
  crowd = await openCrowd({ ...target, urls: { ...target.urls, intake: product.urls.web } }, ops, users, 1)
}, 120_000)
afterAll(async () => {
  await ops?.close()
  await product?.stop()
}, 60_000)

test(`careful senders at a slow exchange, some of them impatient: one order an alert (seed ${seed})`, async () => {
  await slowDown()
  const counts = { sent: 0, resent: 0, unanswered: 0 }
  const all = Promise.all(
    crowd.map(async (member, index) => await sendAll(member, numbers(seed + index), counts)),
  )
  // The one that stands at the door dies among them, then the one that knows what was answered, then what both share.
  await sentAtLeast(all, counts, 0.25)
  await product.kill('gateway')
  await product.restart('gateway')
  await sentAtLeast(all, counts, 0.5)
  await product.kill('intake')
  await product.restart('intake')
  await sentAtLeast(all, counts, 0.75)
  await product.servers.redis.stop()
  await product.servers.redis.start()
  const asked = await all
  await waitFor(async () => (await ops.manager.streams.info('ALERTS')).state.messages === 0, {
    deadlineMs: 60_000,
  })
  process.stdout.write(`${JSON.stringify(counts)}\n`)
  const orders = await ordersByLabel()
  // An alert that never got an answer may have been stored or not; every other one is an order, once and in its turn.
  const unlike = asked.filter(({ apiKey, alerts }) => !isFrom(alerts, orders[apiKey] ?? []))
  if (unlike.length > 0) process.stdout.write(`${(await failures()).join('\n')}\n`)
  expect(unlike.map((one) => ({ ...one, orders: orders[one.apiKey] }))).toEqual([])
  expect(counts.unanswered).toBeLessThan(counts.sent / 20)
  expect(counts.resent).toBeGreaterThan(counts.sent / 20)
}, 1_800_000)

type Counts = Record<'sent' | 'resent' | 'unanswered', number>

/** Returns the stored events of alerts that were refused and of commands that failed. */
async function failures(): Promise<string[]> {
  const start = { from: 'sequence', sequence: 1 } as const
  const stored = await readStored(ops, { stream: 'EVENTS', filter: '>', start })
  return stored.map(({ text }) => text).filter((text) => /"alert\.refused"|"errorCode":"/.test(text))
}

/** An order that an alert asks for, and the ends of the alert's attempts. */
interface Asked {
  order: string
  attempts: Attempted[]
}

/** One alert behind another, as somebody sends whose next one builds on the one before; returns the orders it asks for. */
async function sendAll(
  { webhookUrl, labels, apiKeys }: Member,
  next: () => number,
  counts: Counts,
): Promise<{ apiKey: string; alerts: Asked[] }> {
  const sender = carefulSender(webhookUrl)
  const alerts: Asked[] = []
  await sleep(next() * paceMs)
  for (let count = 0; count < alertsEach; count++) {
    const order = ['BUY 0.002', 'SELL 0.002', 'BUY 0.004', 'SELL 0.004'][Math.floor(next() * 4)] ?? ''
    const [side = '', quantity = ''] = order.toLowerCase().split(' ')
    // Some say when they were made, and are never equal; the others are equal now and then.
    const words = next() < 0.5 ? '' : `# ${count}\n`
    const body = `${words}${labels[0]}(BTCUSDT) { market(${side}, ${quantity}) }`
    alerts.push({ order, attempts: await sendOne(sender, body, next, counts) })
    await sleep(paceMs)
  }
  sender.close()
  return { apiKey: apiKeys[0] ?? '', alerts }
}

async function sendOne(
  sender: CarefulSender,
  body: string,
  next: () => number,
  counts: Counts,
): Promise<Attempted[]> {
  // Some hang up about when answers come, the others when platforms do: what comes later was never read.
  const attempts = await sender.send(body, () => (next() < impatient ? 400 + next() * 1400 : hangUpMs))
  counts.sent++
  if (attempts.length > 1) counts.resent++
  if (isUnanswered(attempts)) counts.unanswered++
  else expect([200, 202]).toContain(attempts.at(-1))
  return attempts
}

function isUnanswered(attempts: readonly Attempted[]): boolean {
  return attempts.at(-1) === 'no answer' || attempts.at(-1) === 503
}

/** Returns whether orders are those of the alerts, in their order, with or without those of unanswered ones. */
function isFrom([alert, ...later]: readonly Asked[], orders: readonly string[]): boolean {
  if (alert === undefined) return orders.length === 0
  if (alert.order === orders[0] && isFrom(later, orders.slice(1))) return true
  return isUnanswered(alert.attempts) && isFrom(later, orders)
}

/** A part of the orders takes as long as a caller waits. */
async function slowDown(): Promise<void> {
  for (const [ms, probability] of [
    [500, 0.1],
    [1000, 0.3],
    [1500, 0.2],
    [2150, 0.1],
  ]) {
    await addFault(product, { action: 'delay', ms, probability, seed, count: 1_000_000 })
  }
}

/** Settles once a part of the alerts was sent; fails with the first sender that does. */
async function sentAtLeast(senders: Promise<unknown>, counts: Counts, part: number): Promise<void> {
  const enough = waitFor(() => counts.sent >= part * users * alertsEach, { deadlineMs: 900_000 })
  await Promise.race([enough, senders.then(async () => await enough)])
}

/** The orders that the exchange took of each account, as they came. */
async function ordersByLabel(): Promise<Record<string, string[]>> {
  const orders: Record<string, string[]> = {}
  for (const { op, apiKey, outcome, side, quantity } of await journal(product)) {
    if (op !== 'place' || outcome !== 'accepted' || apiKey === null) continue
    orders[apiKey] = [...(orders[apiKey] ?? []), `${side} ${quantity}`]
  }
  return orders
}

/** Numbers from 0 to 1 that are the same for a seed (mulberry32). */
function numbers(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
