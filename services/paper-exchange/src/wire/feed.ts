import type { Peer } from './socket.ts'

/**
 * The way by which account and market events reach a client, so that faults can double, swap, swallow or cut them.
 * Answers to requests go to the peer itself.
 */
export type Feed = Readonly<{
  wire: string
  send: (peer: Peer, apiKey: string | undefined, symbol: string | undefined, text: string) => void
}>
