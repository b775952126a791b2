import { z } from 'zod'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { RefusalError } from '../http/refusal.ts'
import type { VenueRequest } from '../http/rest-client.ts'
import { type Headers, isDone } from '../http/send-fresh.ts'
import type { Source } from '../read/drift.ts'
import { readFrom, spare, Text, Whole } from '../read/read-fields.ts'
import { type OrderSocket, openOrderSocket } from '../socket/order-socket.ts'
import type { VenueOptions } from '../venue.ts'
import type { Endpoint } from './endpoint.ts'
import { marketAt } from './limit-table.ts'
import type { Limits } from './limits.ts'
import { createParamsSigner } from './signer.ts'

/** Sends a request over a socket and answers its result; undefined, and nothing was sent, where no socket is good. */
export type SocketSender = (
  method: string,
  fields: VenueRequest['fields'],
  signedAt: number,
  onSent: () => void,
) => Promise<unknown> | undefined

/**
 * The sender of an account over the socket for requests at this path, which all accounts of an address share, since each
 * request is signed; undefined where orders are not to go over sockets.
 */
export function createSocketSender(
  options: VenueOptions,
  path: string,
  endpoint: Endpoint,
  limits: Limits,
): SocketSender | undefined {
  const { ordersUrl, credentials } = options
  if (ordersUrl === undefined) return undefined
  const socket = socketAt(options, endpoint, ordersUrl + path)
  const sign = createParamsSigner(credentials, receiveWindowMs)
  const source: Source = { venue: marketAt(`${path}/`), call: 'ws-api' }
  return (method, fields, signedAt, onSent) => {
    const asked = socket.ask((id) => JSON.stringify({ id, method, params: sign(fields, signedAt) }))
    if (asked === undefined) return undefined
    onSent()
    return asked.then((frame) => resultIn(frame, source, limits))
  }
}

function socketAt(
  { connections: { orderSockets }, log }: VenueOptions,
  { refuseWhileBanned }: Endpoint,
  address: string,
): OrderSocket {
  return orderSockets.at(address, () =>
    openOrderSocket({
      address: async () => {
        refuseWhileBanned()
        return address
      },
      log,
      idOf: (frame) => WithId.safeParse(frame).data?.id,
      isFarewell: (frame) => Farewell.safeParse(frame).success,
    }),
  )
}

const WithId = z.object({ id: Text })
const Farewell = z.object({ event: z.object({ e: z.literal('serverShutdown') }) })

const Counts = z.array(
  z.object({ rateLimitType: Text, interval: Text, intervalNum: Whole, count: spare('count', Whole, 0) }),
)
const Moments = z.object({
  serverTime: spare('serverTime', Whole, undefined),
  retryAfter: spare('retryAfter', Whole, undefined),
})
const Fault = z.object({
  code: spare('code', Whole, 0),
  msg: spare('msg', Text, 'no word'),
  data: spare('data', Moments, undefined),
})
const Frame = z.object({
  status: spare('status', Whole, undefined),
  result: z.unknown().optional(),
  error: spare('error', Fault, undefined),
  rateLimits: spare('rateLimits', Counts, []),
})
type Frame = z.output<typeof Frame>

function resultIn(answer: unknown, source: Source, limits: Limits): unknown {
  const frame = readFrom(source, Frame, answer)
  const { error, result } = frame
  // A result is one, whatever its status cannot be read as.
  const status = frame.status ?? (result === undefined ? 0 : 200)
  limits.heed({ status, headers: headersOf(frame), text: JSON.stringify(error ?? '') })
  if (isDone(status)) return result
  throw new RefusalError({ status, code: error?.code ?? 0, text: error?.msg ?? `answered with ${status}` })
}

const prefixes = new Map([
  ['ORDERS', 'x-mbx-order-count-'],
  ['REQUEST_WEIGHT', 'x-mbx-used-weight-'],
])

/** Returns the frame's report of limits in the form of an answer over HTTP: both count the same. */
function headersOf({ rateLimits, error }: Frame): Headers {
  const headers: Headers = {}
  for (const { rateLimitType, interval, intervalNum, count } of rateLimits) {
    const prefix = prefixes.get(rateLimitType)
    if (prefix !== undefined)
      headers[`${prefix}${intervalNum}${interval.charAt(0).toLowerCase()}`] = `${count}`
  }
  const { retryAfter, serverTime } = error?.data ?? {}
  if (retryAfter !== undefined && serverTime !== undefined)
    headers['retry-after'] = `${Math.max(1, Math.ceil((retryAfter - serverTime) / 1000))}`
  return headers
}
