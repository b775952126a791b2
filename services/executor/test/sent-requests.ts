import { jest } from '@jest/globals'
import { WebSocket } from 'ws'
import type { VenueConnections } from '../src/venue/connections.ts'
import { recordedConnections } from './venues/recorded-connections.ts'

/** Connections that note what is asked of an exchange over them, and over the sockets of this process. */
export interface SentRequests {
  connections: VenueConnections
  /** The requests so far: method and path, or `ws` and the word of a frame. */
  sent: string[]
  stop: () => void
}

/** Opens connections that nothing was asked over yet. */
export function sentRequests(): SentRequests {
  const { connections, sent } = recordedConnections()
  const { send } = WebSocket.prototype
  const sending = jest.spyOn(WebSocket.prototype, 'send').mockImplementation(function (
    this: WebSocket,
    ...frame: unknown[]
  ) {
    const word = wordIn(String(frame[0]))
    if (word !== undefined) sent.push(`ws ${word}`)
    Reflect.apply(send, this, frame)
  })
  return { connections, sent, stop: () => sending.mockRestore() }
}

/** Returns what a frame asks for; undefined for one that only keeps its connection. */
function wordIn(frame: string): string | undefined {
  const { method, op } = JSON.parse(frame) as { method?: string; op?: string }
  return op === 'ping' ? undefined : (method ?? op)
}
