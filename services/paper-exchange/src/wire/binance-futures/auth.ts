import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import {
  DEFAULT_RECEIVE_WINDOW_MS,
  judgeReceiveWindow,
  MAX_RECEIVE_WINDOW_MS,
} from '../../domain/receive-window.ts'
import type { Entry, Ledger } from '../../store/ledger.ts'
import type { Incoming } from '../message.ts'
import type { Params } from '../params.ts'
import { illegal, missing, VenueError } from './errors.ts'

const WHOLE = /^[0-9]{1,20}$/
const KEY_FORMAT = /^[A-Za-z0-9]{1,128}$/

const keys = new WeakMap<Entry, KeyObject>()

/** The account that signed the request, or the venue's error when key, time or signature do not hold. */
export function authenticate(ledger: Ledger, incoming: Incoming, params: Params, now: number): Entry {
  const apiKey = incoming.headers['x-mbx-apikey']
  if (typeof apiKey !== 'string' || !KEY_FORMAT.test(apiKey))
    throw new VenueError(-2014, 'API-key format invalid.')
  const timestamp = readWhole(params, 'timestamp')
  if (timestamp === undefined) throw missing('timestamp')
  const signature = params.get('signature')
  if (!signature) throw missing('signature')
  const entry = ledger.entries.get(apiKey)
  if (!entry) throw new VenueError(-2015, 'Invalid API-key, IP, or permissions for action.')
  checkTime(timestamp, readWhole(params, 'recvWindow') ?? DEFAULT_RECEIVE_WINDOW_MS, now)
  if (!isSigned(entry, incoming, signature))
    throw new VenueError(-1022, 'Signature for this request is not valid.')
  return entry
}

function readWhole(params: Params, name: string): number | undefined {
  const text = params.get(name)
  if (!text) return undefined
  if (!WHOLE.test(text)) throw illegal(name, '^[0-9]{1,20}$')
  return Number(text)
}

function checkTime(timestamp: number, windowMs: number, now: number): void {
  if (windowMs > MAX_RECEIVE_WINDOW_MS) throw new VenueError(-1131, 'recvWindow must be less than 60000.')
  const verdict = judgeReceiveWindow(timestamp, windowMs, now)
  if (verdict === 'ahead')
    throw new VenueError(-1021, "Timestamp for this request was 1000ms ahead of the server's time.")
  if (verdict === 'tooOld')
    throw new VenueError(-1021, 'Timestamp for this request is outside of the recvWindow.')
}

function isSigned(entry: Entry, { query, body }: Incoming, signature: string): boolean {
  // The venue signs the bytes as they were sent: query and body joined without a separator.
  const signedQuery = withoutSignature(query)
  const payload = signedQuery === query ? query + withoutSignature(body) : signedQuery + body
  const expected = createHmac('sha256', keyOf(entry)).update(payload, 'latin1').digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && signature.length === 64 && timingSafeEqual(given, expected)
}

function keyOf(entry: Entry): KeyObject {
  const known = keys.get(entry)
  if (known) return known
  const key = createSecretKey(entry.secret, 'utf8')
  keys.set(entry, key)
  return key
}

function withoutSignature(text: string): string {
  if (text.startsWith('signature=')) {
    const end = text.indexOf('&')
    return end < 0 ? '' : text.slice(end + 1)
  }
  const at = text.indexOf('&signature=')
  if (at < 0) return text
  const end = text.indexOf('&', at + 1)
  return end < 0 ? text.slice(0, at) : text.slice(0, at) + text.slice(end)
}
