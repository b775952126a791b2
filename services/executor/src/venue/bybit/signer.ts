import { createHmac, createPrivateKey, createSecretKey, sign as signWithKey } from 'node:crypto'
import type { Credentials } from '@tripline/proto/user-config'

/** A JSON body with the headers that say whose it is. */
export interface SignedBody {
  body: string
  headers: Record<string, string>
}

/** Signs for one account. */
export interface Signer {
  /** Signs a body for a moment, in ms since the epoch by the venue's clock. */
  body: (fields: object, timestamp: number) => SignedBody
  /** The same for what stands in an address. */
  query: (query: string, timestamp: number) => { query: string; headers: Record<string, string> }
  /** The `args` by which a socket logs in, good until the moment given. */
  login: (expires: number) => readonly [apiKey: string, expires: number, signature: string]
}

/**
 * The signer of a Bybit account, whose requests are valid for the receive window. Byte for byte what the library makes;
 * that one computes the signature in its own code, at several times the cost.
 */
export function createSigner({ apiKey, secret }: Credentials, receiveWindowMs: number): Signer {
  const sign = textSigner(secret)
  const headersFor = (signed: string, timestamp: number) => ({
    'Content-Type': 'application/json',
    'X-BAPI-API-KEY': apiKey,
    'X-BAPI-TIMESTAMP': `${timestamp}`,
    'X-BAPI-RECV-WINDOW': `${receiveWindowMs}`,
    'X-BAPI-SIGN': sign(`${timestamp}${apiKey}${receiveWindowMs}${signed}`),
  })
  return {
    body: (fields, timestamp) => {
      const body = JSON.stringify(fields)
      return { body, headers: headersFor(body, timestamp) }
    },
    query: (query, timestamp) => ({ query, headers: headersFor(query, timestamp) }),
    login: (expires) => [apiKey, expires, sign(`GET/realtime${expires}`)],
  }
}

// The venue issues secrets, and takes RSA keys that users made themselves.
function textSigner(secret: string): (text: string) => string {
  if (!secret.includes('PRIVATE KEY')) {
    const key = createSecretKey(secret, 'utf8')
    return (text) => createHmac('sha256', key).update(text).digest('hex')
  }
  const key = createPrivateKey(secret)
  return (text) => signWithKey('sha256', Buffer.from(text), key).toString('base64')
}
