import { DEFAULT_RECEIVE_WINDOW_MS } from '../../domain/receive-window.ts'
import type { Entry, Ledger } from '../../store/ledger.ts'
import type { Incoming } from '../message.ts'
import { isSignatureOf } from '../signing.ts'
import { BybitError } from './errors.ts'

const WHOLE = /^[0-9]{1,15}$/
const FUTURE_LIMIT_MS = 1_000

/** The account that signed the request, or the venue's error where key, time or signature do not hold. */
export function authenticate(ledger: Ledger, incoming: Incoming, now: number): Entry {
  const header = (name: string): string => {
    const value = incoming.headers[name]
    return typeof value === 'string' ? value : ''
  }
  const [apiKey, timestamp, sign] = [
    header('x-bapi-api-key'),
    header('x-bapi-timestamp'),
    header('x-bapi-sign'),
  ]
  if (apiKey === '' || timestamp === '' || sign === '') {
    const text = `empty value: apiTimestamp[${timestamp}] apiKey[${apiKey}] apiSignature[${sign}]`
    throw new BybitError(10001, text)
  }
  const entry = ledger.entries.get(apiKey)
  if (!entry) throw new BybitError(10003, 'API key is invalid.')
  const window = header('x-bapi-recv-window')
  checkTime(timestamp, window, now)
  // The venue signs the bytes as they were sent: the query of a GET, the body of anything else.
  const sent = incoming.method === 'GET' ? incoming.query : incoming.body
  const origin = `${timestamp}${apiKey}${window}${sent}`
  if (!isSignatureOf(entry, origin, 'latin1', sign)) {
    throw new BybitError(10004, `error sign! origin_string[${origin}]`)
  }
  return entry
}

/** Whether the time lies in [server - window, server + 1 s); the venue's error where it does not. */
export function checkTime(timestamp: string, window: string, now: number): void {
  const [sent, windowMs] = [Number(timestamp), window === '' ? DEFAULT_RECEIVE_WINDOW_MS : Number(window)]
  const isReadable = WHOLE.test(timestamp) && (window === '' || WHOLE.test(window))
  if (isReadable && sent >= now - windowMs && sent < now + FUTURE_LIMIT_MS) return
  const seen = `req_timestamp[${timestamp}],server_timestamp[${now}],recv_window[${windowMs}]`
  throw new BybitError(
    10002,
    `invalid request, please check your server timestamp or recv_window param. ${seen}`,
  )
}

/**
 * Returns the account of a socket, by its key and a signature that expires; the venue's error if that does not hold.
 */
export function authenticateSocket(ledger: Ledger, args: readonly unknown[], now: number): Entry {
  const [apiKey, expires, sign] = args.map((arg) => (typeof arg === 'number' ? String(arg) : arg))
  if (typeof apiKey !== 'string' || typeof expires !== 'string' || typeof sign !== 'string') {
    throw new BybitError(10001, 'Params Error')
  }
  const entry = ledger.entries.get(apiKey)
  if (!entry) throw new BybitError(10003, 'API key is invalid.')
  if (!WHOLE.test(expires) || Number(expires) <= now) throw new BybitError(10004, 'Params Error: expired')
  if (!isSignatureOf(entry, `GET/realtime${expires}`, 'latin1', sign))
    throw new BybitError(10004, 'Invalid sign')
  return entry
}
