import { createHmac, randomBytes } from 'node:crypto'
import { now } from '@tripline/kit/time/clock'
import { Client } from 'undici'
import type { Passage } from './passage.ts'

/** A lean process's answer to an alert. */
export interface LeanAnswer {
  clientOrderId: string
  passage: Passage
}

const { PAPER_URL = '', API_KEY = '', API_SECRET = '' } = process.env
const client = new Client(PAPER_URL, { keepAliveTimeout: 60_000, pipelining: 1 })
const headers = { 'X-MBX-APIKEY': API_KEY, 'content-type': 'application/x-www-form-urlencoded' }
const order = /\((\w+)\) \{ market\((buy|sell), ([\d.]+)\) \}/

/** Reads the message with one expression, signs its order and sends it over one warm connection. */
export async function placeLeanly(message: string, receivedAt: number): Promise<LeanAnswer> {
  const [, symbol = '', side = '', quantity = ''] = order.exec(message) ?? []
  // As long as the product's ids, and like them distinguished by its first 27 characters.
  const clientOrderId = `b${randomBytes(16).toString('hex').slice(0, 31)}`
  const fields = {
    symbol,
    side: side.toUpperCase(),
    type: 'MARKET',
    quantity,
    newClientOrderId: clientOrderId,
    newOrderRespType: 'RESULT',
    // Of a burst the last ones wait long for the one connection, after they were signed.
    recvWindow: '60000',
    timestamp: String(Date.now()),
  }
  const query = new URLSearchParams(fields).toString()
  const signature = createHmac('sha256', API_SECRET).update(query).digest('hex')
  const body = `${query}&signature=${signature}`
  const sentAt = now()
  const answer = await client.request({
    method: 'POST',
    path: '/binance-futures/fapi/v1/order',
    headers,
    body,
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`The exchange answered ${answer.statusCode}: ${text}`)
  return { clientOrderId, passage: { receivedAt, sentAt } }
}
