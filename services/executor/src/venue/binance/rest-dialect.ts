import type { Credentials } from '@tripline/proto/user-config'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { type Codes, HeldBackError, RefusalError, StatusError } from '../http/refusal.ts'
import type { RestDialect, SignedRequest, VenueRequest } from '../http/rest-client.ts'
import { isDone } from '../http/send-fresh.ts'
import { parseJson } from '../read/parse-json.ts'
import type { Limits } from './limits.ts'
import type { SocketSender } from './order-socket.ts'
import { readRefusal } from './refusal.ts'
import { createSigner, formOf } from './signer.ts'

/** The path of the right to a private stream of futures, which the key alone asks for. */
export const listenKeyPath = '/fapi/v1/listenKey'

/** Paths that any client may request. */
const publicPath = /\/(ticker\/\w+|premiumIndex|referencePrice|avgPrice)$/

/** Requests that go over a socket while one is good: the urgent ones, by the socket's names for them. */
const socketMethods = new Map([
  ['POST /api/v3/order', 'order.place'],
  ['POST /fapi/v1/order', 'order.place'],
  ['POST /fapi/v1/algoOrder', 'algoOrder.place'],
])

/** Binance's way with the requests of one account at one of its markets. */
export function restDialect(
  credentials: Credentials,
  codes: Codes,
  limits: Limits,
  viaSocket?: SocketSender,
): RestDialect {
  return {
    codes,
    sign: signing(credentials),
    read: (answer, { method }) => {
      limits.heed(answer)
      if (isDone(answer.status)) return parseJson(answer.text)
      const refusal = readRefusal(answer.status, answer.text)
      throw method === 'GET' && refusal.code === 0
        ? new StatusError(answer.status)
        : new RefusalError(refusal)
    },
    enter: ({ method, urgency }) => {
      if (urgency === undefined) return undefined
      if (urgency === 'cancel') return limits.enterCancel()
      const objection = limits.objectionTo(urgency === 'lookUp' ? 'exit' : urgency)
      if (objection !== undefined) throw new HeldBackError(objection)
      return method === 'GET' ? limits.enter() : undefined
    },
    overSocket: ({ method, path, fields }, signedAt, onSent) => {
      const name = socketMethods.get(`${method} ${path}`)
      return name === undefined ? undefined : viaSocket?.(name, fields, signedAt, onSent)
    },
  }
}

/** A form stands in the address of what is not posted. */
function signing(credentials: Credentials): (request: VenueRequest, at: number) => SignedRequest {
  const sign = createSigner(credentials, receiveWindowMs)
  const keyOnly = { headers: { 'X-MBX-APIKEY': credentials.apiKey }, body: '' }
  return ({ method, path, fields }, at) => {
    if (publicPath.test(path)) return { query: formOf(fields).slice(1), headers: {} }
    const { body, headers } = path === listenKeyPath ? keyOnly : sign(fields, at)
    return method === 'POST' ? { body, headers } : { query: body, headers }
  }
}
