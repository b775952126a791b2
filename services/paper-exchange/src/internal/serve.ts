import { createHash, timingSafeEqual } from 'node:crypto'
import { openAccount, readBody } from '../control/serve.ts'
import { type Answer, type Incoming, json } from '../wire/message.ts'

type Opened = Parameters<typeof openAccount>[0]

/** Answers the product's own call that opens an account, which needs the shared token. */
export function serveInternal(opened: Opened, token: string | undefined, incoming: Incoming): Answer {
  if (incoming.path !== '/internal/accounts' || token === undefined) return json(404, { detail: 'Not found' })
  if (incoming.method !== 'POST') return json(405, { detail: 'Only POST' }, { Allow: 'POST' })
  if (!holdsToken(incoming.headers['authorization'], token)) return json(401, { detail: 'A token is needed' })
  const body = readBody(incoming)
  return body ? openAccount(opened, { body: body.value }) : json(400, { detail: 'the body must be JSON' })
}

// Digests are compared, so that neither content nor length of the token shows in the time it takes.
function holdsToken(header: string | string[] | undefined, token: string): boolean {
  const given =
    typeof header === 'string' && header.startsWith('Bearer ') ? header.slice('Bearer '.length) : ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
