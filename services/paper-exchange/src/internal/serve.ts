import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Exchange } from '../exchange.ts'
import { openAccount, resetAccount } from '../open-account.ts'
import { type Answer, type Incoming, json, readJson } from '../wire/message.ts'

type Opening = Readonly<{ exchange: Exchange; clock: Clock }>

const PATH = /^\/internal\/accounts(?:\/([^/]+)\/reset)?$/

/** Answers the product's own calls that open and reset accounts, which need the shared token. */
export function serveInternal(opening: Opening, token: string | undefined, incoming: Incoming): Answer {
  const asked = PATH.exec(incoming.path)
  if (!asked || token === undefined) return json(404, { detail: 'Not found' })
  if (incoming.method !== 'POST') return json(405, { detail: 'Only POST' }, { Allow: 'POST' })
  if (!holdsToken(incoming.headers['authorization'], token)) return json(401, { detail: 'A token is needed' })
  const body = readJson(incoming)
  if (!body) return json(400, { detail: 'the body must be JSON' })
  const [, apiKey] = asked
  return apiKey === undefined ? openAccount(opening, body.value) : resetAccount(opening, apiKey, body.value)
}

// Digests are compared, so that neither content nor length of the token shows in the time it takes.
function holdsToken(header: string | string[] | undefined, token: string): boolean {
  const given =
    typeof header === 'string' && header.startsWith('Bearer ') ? header.slice('Bearer '.length) : ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
