import type { Backing } from '../backing.ts'
import { type Answer, type Incoming, json, type Wire } from '../message.ts'
import { readParams } from '../params.ts'
import { checkIncoming } from './auth.ts'
import type { Dialect } from './dialect.ts'
import { errorBody } from './errors.ts'
import type { Outcome } from './outcome.ts'
import { type CallContext, perform } from './perform.ts'
import { createUsage } from './usage.ts'

/** One of Binance's markets over what is behind it; limits refuse nothing unless they are on. */
export function openCallContext(backing: Backing, dialect: Dialect): CallContext {
  return { ...backing, dialect, usage: createUsage(dialect.limits, backing.limits) }
}

/** One of Binance's markets over HTTP. */
export function serveHttp(context: CallContext): Wire {
  const { dialect } = context
  return (incoming, reply) => {
    const { method, path, query, body, remoteAddress, receivedNs } = incoming
    const route = dialect.routes.get(`${method} ${path}`)
    if (!route) return reply.send(answer(dialect, { failure: dialect.notFound(method, path) }))
    perform(
      context,
      {
        transport: 'rest',
        method,
        path,
        apiKey: apiKeyOf(incoming),
        ...readParams(query, body),
        route,
        remoteAddress,
        receivedNs,
        isSigned: checkIncoming(incoming),
        answer: (outcome) => answer(dialect, outcome),
      },
      reply,
    )
  }
}

function answer(dialect: Dialect, outcome: Outcome): Answer {
  const headers = headersOf(dialect, outcome)
  if ('result' in outcome) return json(200, outcome.result, headers)
  return json(outcome.failure.status, errorBody(outcome.failure), headers)
}

function headersOf({ limits }: Dialect, outcome: Outcome): Record<string, string> {
  const headers: Record<string, string> = {}
  const { used } = outcome
  if (used) headers['X-MBX-USED-WEIGHT-1M'] = String(used.weight)
  limits.orders.forEach(({ name }, index) => {
    const count = used?.orders?.[index]
    if (count !== undefined) headers[`X-MBX-ORDER-COUNT-${name}`] = String(count)
  })
  if ('failure' in outcome && outcome.failure.retryAfterS !== undefined)
    headers['Retry-After'] = String(outcome.failure.retryAfterS)
  return headers
}

function apiKeyOf({ headers }: Incoming): string | undefined {
  const apiKey = headers['x-mbx-apikey']
  return typeof apiKey === 'string' ? apiKey : undefined
}
