import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { steadyNow } from '../time/clock.ts'

/**
 * Gets true once an answer has gone out as a whole, and false once its connection ended before that. A connection that
 * breaks right behind a whole answer makes it false as well: the caller had hung up before it came.
 */
export type DeliveryListener = (isReceived: boolean) => void

/** Longer than it takes until a caller's system refuses what came after the caller had hung up. */
const doubtMs = 5000

/** A round trip to callers that are far away. */
const refusalMs = 1000

const nothing = new Uint8Array()

interface LastAnswer {
  sentAt: number
  onDelivery: DeliveryListener
}

// A caller that sends its next request on a connection has read the answer before it.
const lastAnswers = new WeakMap<Socket, LastAnswer>()
const watched = new WeakSet<Socket>()

/** Watches whether an answer reaches its caller, as far as the connection shows. */
export function watchDelivery(response: ServerResponse, onDelivery: DeliveryListener): void {
  const { socket } = response
  if (response.closed || response.destroyed || socket === null) {
    onDelivery(false)
    return
  }
  let isSent = false
  watchBreak(socket)
  // The server may end the connection before any other listener knows that the answer is out.
  response.once('prefinish', () => lastAnswers.set(socket, { sentAt: steadyNow(), onDelivery }))
  response.once('finish', () => {
    isSent = true
    onDelivery(true)
  })
  response.once('close', () => {
    if (!isSent) onDelivery(false)
  })
}

function watchBreak(socket: Socket): void {
  if (watched.has(socket)) return
  watched.add(socket)
  lingerBehindAnswers(socket)
  socket.once('close', (hadError) => {
    const last = lastAnswers.get(socket)
    if (hadError && last !== undefined && steadyNow() - last.sentAt < doubtMs) last.onDelivery(false)
  })
}

/**
 * Puts off our end of a connection until its last answer can have been refused. A caller's end that came before the answer
 * was written, and is read behind it, looks like that of a caller which has read it: the refusal shows in a write only,
 * and never once our end is closed.
 */
function lingerBehindAnswers(socket: Socket): void {
  const end = socket.end.bind(socket)
  socket.end = (...last: []) => {
    const { sentAt = Number.NEGATIVE_INFINITY } = lastAnswers.get(socket) ?? {}
    const leftMs = sentAt + refusalMs - steadyNow()
    if (last.length > 0 || leftMs <= 0) return end(...last)
    setTimeout(() => {
      if (!socket.writable) return
      // Sends nothing, and fails where the answer was refused.
      socket.write(nothing)
      end()
    }, leftMs).unref()
    return socket
  }
}
