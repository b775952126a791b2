import { type Performance, WebhookAnswer } from '@tripline/proto/http/webhook'
import type { Closers } from '@tripline/testkit/closers'
import type { Product } from '@tripline/testkit/stack/product'
import { Pool } from 'undici'
import { z } from 'zod'
import { startLean, startLeanOverBus } from './lean-processes.ts'
import type { Passage } from './passage.ts'
import type { Trader } from './traders.ts'
import { nowNs } from './wall-clock.ts'

/** One alert that was sent and answered. */
export interface Shot {
  sentNs: bigint
  /** The beginning of the client order id. */
  orderKey: string
  performance?: Performance
  /** The lean rows' own moments. */
  passage?: Passage
}

/** A way from an alert to the exchange. */
export interface Row {
  name: 'lean handler' | 'lean over the bus' | 'intake' | 'gateway'
  /** Sends one alert; the users take turns, and each one's orders change sides, so that no margin runs out. */
  send: () => Promise<Shot>
}

/** The first characters of a client order id distinguish the orders of all rows: a letter and 26 characters. */
export const orderKeyLength = 27

const ProductAnswer = WebhookAnswer.pick({ alert_id: true, performance: true }).extend({
  status: z.enum(['success', 'accepted']),
})
const LeanAnswer = z.object({
  clientOrderId: z.string(),
  passage: z.object({ receivedAt: z.number(), sentAt: z.number() }),
})
// More than a burst needs, so that no alert waits for a connection of ours.
const connections = 256

/** The rows that are compared: the lean peer, which is the measure for all, the limit of what is durable first, and the product. */
export async function openRows(
  product: Product,
  traders: readonly Trader[],
  closers: Closers,
): Promise<Row[]> {
  const { intake, web, paper } = product.urls
  const orders = alternatingOrders(traders)
  return [
    { name: 'lean handler', send: leanSender(await startLean(paper, closers), closers) },
    { name: 'lean over the bus', send: leanSender(await startLeanOverBus(paper, closers), closers) },
    { name: 'intake', send: productSender(intake, orders, closers) },
    { name: 'gateway', send: productSender(web, orders, closers) },
  ]
}

function leanSender(url: string, closers: Closers): Row['send'] {
  const shoot = openShooter(url, closers)
  const orders = alternatingOrders([{ webhookPath: '/', labels: ['MyBot'] }])
  return async () => {
    const { sentNs, answer } = await shoot(orders())
    const { clientOrderId, passage } = LeanAnswer.parse(answer)
    return { sentNs, orderKey: clientOrderId.slice(0, orderKeyLength), passage }
  }
}

/** Sends the product one alert of these orders at each call. */
export function productSender(url: string, orders: () => Order, closers: Closers): Row['send'] {
  const shoot = openShooter(url, closers)
  return async () => {
    const { sentNs, answer } = await shoot(orders())
    const { alert_id, performance } = ProductAnswer.parse(answer)
    return { sentNs, orderKey: `t${alert_id}`, performance }
  }
}

interface Order {
  path: string
  body: string
}

/** The users take turns, then their bots, then the sides. */
export function alternatingOrders(traders: readonly Pick<Trader, 'webhookPath' | 'labels'>[]): () => Order {
  let sent = 0
  return () => {
    const { webhookPath, labels } = traders[sent % traders.length] ?? { webhookPath: '', labels: [] }
    const round = Math.floor(sent / traders.length)
    const side = Math.floor(round / labels.length) % 2 === 0 ? 'buy' : 'sell'
    sent++
    return { path: webhookPath, body: `${labels[round % labels.length]}(BTCUSDT) { market(${side}, 0.01) }` }
  }
}

/** Sends a body to a path; returns when that began, and the answer. */
type Shoot = (order: Order) => Promise<{ sentNs: bigint; answer: unknown }>

/** Opens warm connections to an address to send over. */
export function openShooter(url: string, closers: Closers): Shoot {
  const pool = new Pool(url, { connections, pipelining: 1, keepAliveTimeout: 60_000 })
  void closers.add(async () => await pool.destroy())
  return async ({ path: route, body }) => {
    // A warm connection takes the bytes within the call.
    const sentNs = nowNs()
    const response = await pool.request({ method: 'POST', path: route, body })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`An alert was answered ${response.statusCode}: ${text}`)
    return { sentNs, answer: JSON.parse(text) }
  }
}
