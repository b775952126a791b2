import type { Backing, VenueWire } from '../backing.ts'
import type { Incoming, Wire } from '../message.ts'
import type { SocketWire } from '../socket.ts'
import { createAllowances } from './allowance.ts'
import { authenticate } from './auth.ts'
import { ROUTES } from './catalogue.ts'
import { fieldsOfBody, fieldsOfQuery } from './fields.ts'
import { createGuards } from './guards.ts'
import { failed, httpAnswer } from './outcome.ts'
import { type CallContext, perform } from './perform.ts'
import { createPrivateStream } from './private-stream.ts'
import { createPublicStream } from './public-stream.ts'
import { createTape } from './tape.ts'
import { createTradeSocket } from './trade-socket.ts'

/** Bybit v5: linear and spot over HTTP, with its private, trade and public sockets. */
export function createBybit(backing: Backing): VenueWire {
  const { exchange, clock } = backing
  const context: CallContext = {
    ...backing,
    allowances: createAllowances(),
    tape: createTape(exchange),
    guards: createGuards(),
    startedAt: clock.nowMs(),
  }
  const sockets: Readonly<Record<string, SocketWire>> = {
    '/v5/private': createPrivateStream(context),
    '/v5/trade': createTradeSocket(context),
    '/v5/public/linear': createPublicStream(context, 'linear'),
    '/v5/public/spot': createPublicStream(context, 'spot'),
  }
  return {
    http: createHttp(context),
    sockets: (request, peer) =>
      Object.hasOwn(sockets, request.path) ? sockets[request.path]?.(request, peer) : undefined,
  }
}

function createHttp(context: CallContext): Wire {
  return (incoming, reply) => {
    const { method, path, query, body, remoteAddress, receivedNs } = incoming
    const route = ROUTES.get(`${method} ${path}`)
    if (!route) {
      return reply.send(httpAnswer(failed(10017, 'Route not found.', context.clock.nowMs(), 404)))
    }
    const apiKey = apiKeyOf(incoming)
    const fields = method === 'GET' ? fieldsOfQuery(query) : fieldsOfBody(body)
    const identify = (now: number) => authenticate(context.exchange.ledger, incoming, now)
    perform(
      context,
      {
        ...{ transport: 'rest', method, path, apiKey, fields, route, remoteAddress, receivedNs, identify },
        answer: httpAnswer,
      },
      reply,
    )
  }
}

function apiKeyOf({ headers }: Incoming): string | undefined {
  const apiKey = headers['x-bapi-api-key']
  return typeof apiKey === 'string' ? apiKey : undefined
}
