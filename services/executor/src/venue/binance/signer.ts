import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Credentials } from '@tripline/proto/user-config'
import type { VenueRequest } from '../http/rest-client.ts'

/** A form with its signature, and the headers that say whose it is. */
export interface SignedForm {
  body: string
  headers: Record<string, string>
}

/** Signs a form for one account at a moment, in ms since the epoch. */
export type Signer = (fields: Fields, timestamp: number) => SignedForm

type Fields = VenueRequest['fields']

/**
 * The signer of a Binance account, whose forms are valid for the receive window. Byte for byte what the library makes;
 * that one computes the signature in its own code, at several times the cost.
 */
export function createSigner({ apiKey, secret }: Credentials, receiveWindowMs: number): Signer {
  const key = createSecretKey(secret, 'utf8')
  const headers = { 'X-MBX-APIKEY': apiKey, 'Content-Type': 'application/x-www-form-urlencoded' }
  return (fields, timestamp) => {
    const form = `timestamp=${timestamp}${formOf(fields)}&recvWindow=${receiveWindowMs}`
    const signature = createHmac('sha256', key).update(form).digest('hex')
    return { headers, body: `${form}&signature=${signature}` }
  }
}

/** The fields of a form, each behind an `&`. */
export function formOf(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')
}

/** The signer of an account's requests over a socket, which are valid for the receive window. */
export function createParamsSigner(
  { apiKey, secret }: Credentials,
  receiveWindowMs: number,
): (fields: Fields, timestamp: number) => Params {
  const key = createSecretKey(secret, 'utf8')
  return (fields, timestamp) => signedBy(key, { ...fields, apiKey, timestamp, recvWindow: receiveWindowMs })
}

type Params = Record<string, string | number | boolean>

/** The parameters of a request over a socket, signed in the order of their names. */
export function signParams({ apiKey, secret }: Credentials, params: Params): Params {
  return signedBy(createSecretKey(secret, 'utf8'), { ...params, apiKey })
}

function signedBy(key: KeyObject, params: Params): Params {
  const payload = Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&')
  return { ...params, signature: createHmac('sha256', key).update(payload).digest('hex') }
}
