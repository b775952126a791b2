import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Exchange } from '../exchange.ts'
import { openAccount } from '../open-account.ts'
import { type Answer, type Incoming, json, readJson } from '../wire/message.ts'

type Opening = Readonly<{ exchange: Exchange; clock: Clock }>

/** Answers the product's own call that opens an account, which needs the shared token. */
export function serveInternal(
  { exchange, clock }: Opening,
  token: string | undefined,
  incoming: Incoming,
): Answer {
  if (incoming.path !== '/internal/accounts' || token === undefined) return json(404, { detail: 'Not found' })
  if (incoming.method !== 'POST') return json(405, { detail: 'Only POST' }, { Allow: 'POST' })
  if (!holdsToken(incoming.headers['authorization'], token)) return json(401, { detail: 'A token is needed' })
  const body = readJson(incoming)
  return body ? openAccount(exchange, clock, body.value) : json(400, { detail: 'the body must be JSON' })
}

// Digests are compared, so that neither content nor length of the token shows in the time it takes.
function holdsToken(header: string | string[] | undefined, token: string): boolean {
  const given =
    typeof header === 'string' && header.startsWith('Bearer ') ? header.slice('Bearer '.length) : ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
