import {
  DEFAULT_RECEIVE_WINDOW_MS,
  judgeReceiveWindow,
  MAX_RECEIVE_WINDOW_MS,
} from '../../domain/receive-window.ts'
import type { Entry, Ledger } from '../../store/ledger.ts'
import type { Incoming } from '../message.ts'
import type { Params } from '../params.ts'
import { isSignatureOf } from '../signing.ts'
import { illegal, missing, unauthorized, VenueError } from './errors.ts'

const WHOLE = /^[0-9]{1,20}$/
const WINDOW = /^[0-9]{1,20}(\.[0-9]{1,3})?$/
const FIRST_MICROSECOND = 10_000_000_000_000
const KEY_FORMAT = /^[A-Za-z0-9]{1,128}$/

/** Whether a signature is the one of this account. */
export type Check = (entry: Entry, signature: string) => boolean

/** The account that signed the request, or the venue's error when key, time or signature do not hold. */
export function authenticate(
  ledger: Ledger,
  apiKey: string | undefined,
  params: Params,
  isSigned: Check,
  now: number,
): Entry {
  const knownKey = checkKey(apiKey)
  const timestamp = readMoment(params)
  if (timestamp === undefined) throw missing('timestamp')
  const signature = params.get('signature')
  if (!signature) throw missing('signature')
  const entry = entryOf(ledger, knownKey)
  checkTime(timestamp, readWindow(params) ?? DEFAULT_RECEIVE_WINDOW_MS, now)
  if (!isSigned(entry, signature)) throw new VenueError(-1022, 'Signature for this request is not valid.')
  return entry
}

/** The account a key belongs to, or the venue's error; nothing but the key is checked. */
export function authenticateKey(ledger: Ledger, apiKey: string | undefined): Entry {
  return entryOf(ledger, checkKey(apiKey))
}

function checkKey(apiKey: string | undefined): string {
  if (apiKey === undefined || !KEY_FORMAT.test(apiKey)) throw new VenueError(-2014, 'API-key format invalid.')
  return apiKey
}

function entryOf(ledger: Ledger, apiKey: string): Entry {
  const entry = ledger.entries.get(apiKey)
  if (!entry) throw unauthorized()
  return entry
}

// The venue takes microseconds too, and knows them by their size.
function readMoment(params: Params): number | undefined {
  const moment = readWhole(params, 'timestamp')
  return moment !== undefined && moment >= FIRST_MICROSECOND ? moment / 1_000 : moment
}

function readWhole(params: Params, name: string): number | undefined {
  const text = params.get(name)
  if (!text) return undefined
  if (!WHOLE.test(text)) throw illegal(name, '^[0-9]{1,20}$')
  return Number(text)
}

function readWindow(params: Params): number | undefined {
  const text = params.get('recvWindow')
  if (!text) return undefined
  if (!WINDOW.test(text)) throw illegal('recvWindow', '^[0-9]{1,20}(\\.[0-9]{1,3})?$')
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

/** The check of a request over HTTP: query and body joined without a separator, the bytes as they were sent. */
export function checkIncoming({ query, body }: Incoming): Check {
  return (entry, signature) => {
    const signedQuery = withoutSignature(query)
    const payload = signedQuery === query ? query + withoutSignature(body) : signedQuery + body
    return isSignatureOf(entry, payload, 'latin1', signature)
  }
}

/** The check of a request over a socket: its parameters in the order of their names, as `name=value`. */
export function checkSorted(params: Params): Check {
  return (entry, signature) => {
    const names = [...params.keys()].filter((name) => name !== 'signature').sort()
    const payload = names.map((name) => `${name}=${params.get(name)}`).join('&')
    return isSignatureOf(entry, payload, 'utf8', signature)
  }
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
