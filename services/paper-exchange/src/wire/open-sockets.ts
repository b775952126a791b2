import type { Peer } from './socket.ts'

/** An open socket: its venue, its path without base, and the accounts whose events it was sent. */
export type OpenSocket = Readonly<{ wire: string; path: string; apiKeys: Set<string> }>

/** The sockets that are open now. */
export type OpenSockets = Readonly<{
  of: (peer: Peer) => OpenSocket | undefined
  all: () => Iterable<readonly [Peer, OpenSocket]>
  add: (peer: Peer, wire: string, path: string) => void
  forget: (peer: Peer) => void
}>

/** No sockets yet. */
export function createOpenSockets(): OpenSockets {
  const open = new Map<Peer, OpenSocket>()
  return {
    of: (peer) => open.get(peer),
    all: () => open,
    add: (peer, wire, path) => void open.set(peer, { wire, path, apiKeys: new Set() }),
    forget: (peer) => void open.delete(peer),
  }
}
