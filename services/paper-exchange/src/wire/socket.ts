import type { Answer, Reply } from './message.ts'

/** A client's request to open a socket; the path is without base. */
export type SocketRequest = Readonly<{
  path: string
  query: string
  headers: NodeJS.Dict<string | string[]>
  remoteAddress: string
}>

/** The client at the other end of a socket. Sending to one that is gone does nothing. */
export type Peer = Readonly<{ send: (text: string) => void; close: (code: number, reason: string) => void }>

/** A wire's acts on an open socket; `receivedNs` is the moment at which the frame was complete. */
export type SocketSession = Readonly<{
  onText: (text: string, receivedNs: bigint) => void
  onClose: () => void
}>

/** Opens a session on a path that is the wire's own; undefined for any other, which answers 404. */
export type SocketWire = (request: SocketRequest, peer: Peer) => SocketSession | undefined

// The code that the venues send when they cut a connection off themselves.
const GOING_AWAY = 1001

/** Ends a request that came over a socket; `toFrame` writes an answer as the venue's frame. */
export function socketReply(peer: Peer, toFrame: (answer: Answer) => string): Reply {
  return {
    send: (answer) => peer.send(toFrame(answer)),
    // A frame arrives whole or not at all, so what stalls comes late.
    stall: async (answer, over) => {
      await over
      peer.send(toFrame(answer))
    },
    drop: () => {},
    hangUp: () => peer.close(GOING_AWAY, ''),
  }
}
