import { createHmac, createSecretKey } from 'node:crypto'
import type { Credentials } from '@tripline/proto/user-config'

/** A form with its signature, and the headers that say whose it is. */
export interface SignedForm {
  body: string
  headers: Record<string, string>
}

/** Signs a form for one account at a moment, in ms since the epoch. */
export type Signer = (fields: Record<string, string>, timestamp: number) => SignedForm

/**
 * The signer of a Binance account, whose forms are good for the receive window. Byte for byte what the library makes;
 * that one computes the signature in its own code, at several times the cost.
 */
export function createSigner({ apiKey, secret }: Credentials, receiveWindowMs: number): Signer {
  const key = createSecretKey(secret, 'utf8')
  const headers = { 'X-MBX-APIKEY': apiKey, 'Content-Type': 'application/x-www-form-urlencoded' }
  return (fields, timestamp) => {
    const pairs = Object.entries(fields).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    const form = `timestamp=${timestamp}${pairs.join('')}&recvWindow=${receiveWindowMs}`
    const signature = createHmac('sha256', key).update(form).digest('hex')
    return { headers, body: `${form}&signature=${signature}` }
  }
}

/** The form of a request that needs the key and no signature. */
export function unsignedForm({ apiKey }: Credentials): SignedForm {
  return { headers: { 'X-MBX-APIKEY': apiKey }, body: '' }
}

/** The parameters of a request over a socket, signed in the order of their names. */
export function signParams(
  { apiKey, secret }: Credentials,
  params: Record<string, string | number>,
): Record<string, string | number> {
  const signed: Record<string, string | number> = { ...params, apiKey }
  const payload = Object.keys(signed)
    .sort()
    .map((name) => `${name}=${signed[name]}`)
    .join('&')
  return { ...signed, signature: createHmac('sha256', secret).update(payload).digest('hex') }
}
