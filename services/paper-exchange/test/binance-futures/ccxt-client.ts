import ccxt, { type binanceusdm } from 'ccxt'
import type { Credentials, Paper } from '../paper.ts'

/** Unmodified ccxt, pointed at the paper exchange. */
export function connect({ root }: Paper, { apiKey, secret }: Credentials): binanceusdm {
  const base = `${root}/binance-futures`
  const api: Record<string, string> = { sapi: `${base}/sapi/v1` }
  for (const version of ['v1', 'v2', 'v3']) {
    const suffix = version === 'v1' ? '' : version.toUpperCase()
    api[`fapiPublic${suffix}`] = `${base}/fapi/${version}`
    api[`fapiPrivate${suffix}`] = `${base}/fapi/${version}`
  }
  return new ccxt.binanceusdm({ apiKey, secret, enableRateLimit: false, urls: { api } })
}
