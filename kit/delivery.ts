import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { steadyNow } from './clock.ts'

/**
 * Gets true once an answer has gone out as a whole, and false once its connection ended before that. A connection that
 * breaks right behind a whole answer makes it false as well: the caller had hung up before it came.
 */
export type DeliveryListener = (isReceived: boolean) => void

/** Longer than it takes until a caller's system refuses what came after the caller had hung up. */
const doubtMs = 5000

interface LastAnswer {
  sentAt: number
  onDelivery: DeliveryListener
}

// A caller that sends its next request on a connection has read the answer before it.
const lastAnswers = new WeakMap<Socket, LastAnswer>()
const watched = new WeakSet<Socket>()

/** Watches whether an answer reaches its caller, as far as the connection tells. */
export function watchDelivery(response: ServerResponse, onDelivery: DeliveryListener): void {
  const { socket } = response
  if (response.closed || response.destroyed || socket === null) {
    onDelivery(false)
    return
  }
  let isSent = false
  watchBreak(socket)
  response.once('finish', () => {
    isSent = true
    lastAnswers.set(socket, { sentAt: steadyNow(), onDelivery })
    onDelivery(true)
  })
  response.once('close', () => {
    if (!isSent) onDelivery(false)
  })
}

function watchBreak(socket: Socket): void {
  if (watched.has(socket)) return
  watched.add(socket)
  socket.once('close', (hadError) => {
    const last = lastAnswers.get(socket)
    if (hadError && last !== undefined && steadyNow() - last.sentAt < doubtMs) last.onDelivery(false)
  })
}
