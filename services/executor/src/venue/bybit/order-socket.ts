import { z } from 'zod'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { RefusalError } from '../http/refusal.ts'
import { Whole } from '../read/read-fields.ts'
import { type OrderSocket, openOrderSocket } from '../socket/order-socket.ts'
import type { VenueOptions } from '../venue.ts'
import { socketRestarts } from './codes.ts'
import type { Endpoint } from './endpoint.ts'
import { readEnvelope } from './envelope.ts'
import type { Signer } from './signer.ts'

/** The socket on which an account places orders; it is logged in once, so each account has its own. */
export interface AccountSocket {
  /**
   * Sends an order, and returns the frame that answers it; undefined, and nothing was sent, where the socket is not good. The
   * first order opens it.
   */
  create: (fields: object, signedAt: number, onSent: () => void) => Promise<unknown> | undefined
  isGood: () => boolean
  stop: () => void
}

const loginMs = 10_000

/** An account's socket for orders, not opened yet; undefined where orders are not to go over sockets. */
export function createAccountSocket(
  { ordersUrl, log }: VenueOptions,
  endpoint: Endpoint,
  signer: Signer,
): AccountSocket | undefined {
  if (ordersUrl === undefined) return undefined
  let socket: OrderSocket | undefined
  let isStopped = false
  const open = (): OrderSocket =>
    openOrderSocket({
      address: async () => {
        await endpoint.usage.socketLimiter.enter(false)
        endpoint.refuseWhileBanned()
        return `${ordersUrl}/v5/trade`
      },
      greet: async (ask) => await logIn(endpoint, signer, ask),
      idOf: (frame) => WithId.safeParse(frame).data?.reqId,
      isFarewell: (frame) => WithCode.safeParse(frame).data?.retCode === socketRestarts,
      ping: { text: '{"op":"ping"}', isPong: (text) => text.includes('"pong"') },
      log,
    })
  return {
    create: (fields, signedAt, onSent) => {
      if (isStopped) return undefined
      // Accounts that never trade need none, and the venue counts connections.
      socket ??= open()
      const asked = socket.ask((reqId) => textOf(reqId, fields, signedAt))
      if (asked === undefined) return undefined
      onSent()
      return asked
    },
    isGood: () => socket?.isGood() === true,
    stop: () => {
      isStopped = true
      socket?.stop()
    },
  }
}

function textOf(reqId: string, fields: object, timestamp: number): string {
  const header = { 'X-BAPI-TIMESTAMP': `${timestamp}`, 'X-BAPI-RECV-WINDOW': `${receiveWindowMs}` }
  return JSON.stringify({ reqId, header, op: 'order.create', args: [fields] })
}

const WithId = z.object({ reqId: z.string() })
const WithCode = z.object({ retCode: Whole })

async function logIn(
  endpoint: Endpoint,
  signer: Signer,
  ask: (textOf: (id: string) => string) => Promise<unknown>,
): Promise<void> {
  const args = signer.login(endpoint.now() + loginMs)
  const { code, words } = readEnvelope(await ask((reqId) => JSON.stringify({ reqId, op: 'auth', args })))
  if (code === 0) return
  // A login that is over before it arrives is refused as a wrong one is.
  void endpoint.measureClock()
  throw new RefusalError({ status: 200, code, text: words })
}
