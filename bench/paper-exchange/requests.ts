import { createHmac } from 'node:crypto'
import { rawRequest } from './raw-connection.ts'

/** An account of the exchange. */
export interface Account {
  apiKey: string
  secret: string
}

/** A signed request of Binance, its parameters in the query. */
export function binanceRequest(
  { apiKey, secret }: Account,
  method: string,
  path: string,
  fields: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ ...fields, timestamp: `${Date.now()}`, recvWindow: '5000' }).toString()
  const signature = createHmac('sha256', secret).update(query).digest('hex')
  return rawRequest(method, `${path}?${query}&signature=${signature}`, { 'X-MBX-APIKEY': apiKey })
}

/** A signed POST of Bybit. */
export function bybitRequest(
  { apiKey, secret }: Account,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): string {
  const body = JSON.stringify(fields)
  const timestamp = `${Date.now()}`
  const signature = createHmac('sha256', secret).update(`${timestamp}${apiKey}5000${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'X-BAPI-API-KEY': apiKey,
    'X-BAPI-TIMESTAMP': timestamp,
    'X-BAPI-RECV-WINDOW': '5000',
    'X-BAPI-SIGN': signature,
  }
  return rawRequest('POST', path, headers, body)
}
