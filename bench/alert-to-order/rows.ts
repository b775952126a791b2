import { fork } from 'node:child_process'
import path from 'node:path'
import { Performance } from '@tripline/proto/http/webhook'
import type { Closers } from '@tripline/scripts/closers'
import type { Product } from '@tripline/scripts/product'
import { Pool } from 'undici'
import { z } from 'zod'
import { openAccount } from './paper.ts'
import type { Trader } from './traders.ts'
import { nowNs } from './wall-clock.ts'

/** One alert that was sent and answered. */
export interface Shot {
  sentNs: bigint
  /** What the client order id begins with. */
  orderKey: string
  performance?: Performance
  /** What the lean handler tells of itself. */
  passage?: Passage
}

/** When an alert had been received, and when its order was handed to a connection; wall clock, in ms. */
export interface Passage {
  receivedAt: number
  sentAt: number
}

/** A way from an alert to the exchange. */
export interface Row {
  name: 'lean handler' | 'intake' | 'gateway'
  /** Sends one alert; the users take turns, and each one's orders change sides, so that no margin runs out. */
  send: () => Promise<Shot>
}

/** The first characters of a client order id tell the orders of all rows apart: a letter and 26 characters. */
export const orderKeyLength = 27

const Port = z.object({ port: z.int() })
const ProductAnswer = z.object({
  status: z.enum(['success', 'accepted']),
  alert_id: z.string(),
  performance: Performance,
})
const LeanAnswer = z.object({
  clientOrderId: z.string(),
  passage: z.object({ receivedAt: z.number(), sentAt: z.number() }),
})
// More than a burst needs, so that no alert waits for a connection of ours.
const connections = 256

/** The rows that are compared; the lean one is the measure for the others. */
export async function openRows(
  product: Product,
  traders: readonly Trader[],
  closers: Closers,
): Promise<Row[]> {
  const { intake, web, paper } = product.urls
  const orders = alternatingOrders(traders)
  const leanUrl = await startLean(paper, closers)
  const shootLean = openShooter(leanUrl, closers)
  const leanOrders = alternatingOrders([{ webhookPath: '/', labels: ['MyBot'] }])
  const lean: Row = {
    name: 'lean handler',
    send: async () => {
      const { sentNs, answer } = await shootLean(leanOrders())
      const { clientOrderId, passage } = LeanAnswer.parse(answer)
      return { sentNs, orderKey: clientOrderId.slice(0, orderKeyLength), passage }
    },
  }
  return [
    lean,
    { name: 'intake', send: productSender(intake, orders, closers) },
    { name: 'gateway', send: productSender(web, orders, closers) },
  ]
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
    const turn = Math.floor(sent / traders.length)
    const side = Math.floor(turn / labels.length) % 2 === 0 ? 'buy' : 'sell'
    sent++
    return { path: webhookPath, body: `${labels[turn % labels.length]}(BTCUSDT) { market(${side}, 0.01) }` }
  }
}

/** Sends a body to a path; answers when that began, and what was answered. */
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

async function startLean(paperUrl: string, closers: Closers): Promise<string> {
  const { apiKey, secret } = await openAccount(paperUrl)
  const child = fork(path.join(import.meta.dirname, 'lean-handler.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, PAPER_URL: paperUrl, API_KEY: apiKey, API_SECRET: secret },
  })
  await closers.add(async () => void child.kill())
  const started = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', () => reject(new Error('The lean handler ended')))
  })
  return `http://127.0.0.1:${Port.parse(started).port}`
}
