import type { Fault } from '../domain/fault.ts'
import type { Faults } from '../store/faults.ts'
import type { OpenSockets } from './open-sockets.ts'
import type { Peer } from './socket.ts'

/**
 * The way by which account and market events reach a client, so that faults can double, swap, swallow or cut them.
 * Answers to requests go to the peer itself.
 */
export type Feed = Readonly<{
  wire: string
  /**
   * Notes whose account's events a client will be sent, so that a disconnect meets it before the first one; false if
   * the client is gone.
   */
  join: (peer: Peer, apiKey: string) => boolean
  send: (peer: Peer, apiKey: string | undefined, symbol: string | undefined, text: string) => void
}>

// An event that waits for the next one to overtake it goes by itself when none comes.
const LATE_MS = 250
const GOING_AWAY = 1001

/** The feed of a wire, bent by the faults that strike its events. */
export function createFeed(wire: string, faults: Faults, sockets: OpenSockets): Feed {
  const delayed = new WeakMap<Peer, DelayedText>()
  return {
    wire,
    join: (peer, apiKey) => sockets.of(peer)?.apiKeys.add(apiKey) !== undefined,
    send: (peer, apiKey, symbol, text) => {
      const socket = sockets.of(peer)
      if (apiKey !== undefined) socket?.apiKeys.add(apiKey)
      const facts = { wire, transport: 'ws' as const, path: socket?.path, apiKey, symbol }
      const struck = faults.strike(facts, 'event')
      if (struck.length === 0 && !delayed.has(peer)) peer.send(text)
      else for (const one of bend(delayed, peer, text, struck)) peer.send(one)
    },
  }
}

/** Closes every open socket that a disconnect strikes. */
export function disconnectStruck(faults: Faults, sockets: OpenSockets): void {
  for (const [peer, { wire, path, apiKeys }] of sockets.all()) {
    const owners = apiKeys.size === 0 ? [undefined] : [...apiKeys]
    const isStruck = owners.some((apiKey) => {
      const facts = { wire, transport: 'ws' as const, path, apiKey, symbol: undefined }
      return faults.strike(facts, 'disconnect').length > 0
    })
    if (isStruck) peer.close(GOING_AWAY, '')
  }
}

type DelayedText = Readonly<{ text: string; overdue: NodeJS.Timeout }>

/** Returns the texts that the client is sent in place of the event. */
function bend(
  delayed: WeakMap<Peer, DelayedText>,
  peer: Peer,
  text: string,
  struck: readonly Fault[],
): string[] {
  const has = (action: Fault['action']) => struck.some((fault) => fault.action === action)
  if (has('disconnect')) peer.close(GOING_AWAY, '')
  if (has('disconnect') || has('silent-stream')) return []
  if (has('reorder-events') && !delayed.has(peer)) {
    hold(delayed, peer, text)
    return []
  }
  return [text, ...(has('duplicate-events') ? [text] : []), ...release(delayed, peer)]
}

function hold(delayed: WeakMap<Peer, DelayedText>, peer: Peer, text: string): void {
  const overdue = setTimeout(() => release(delayed, peer).forEach(peer.send), LATE_MS)
  overdue.unref()
  delayed.set(peer, { text, overdue })
}

function release(delayed: WeakMap<Peer, DelayedText>, peer: Peer): string[] {
  const late = delayed.get(peer)
  if (!late) return []
  clearTimeout(late.overdue)
  delayed.delete(peer)
  return [late.text]
}
