import type { VenueConnections } from './dispatcher.ts'

/** An address of a venue, for whoever looks after the process. */
export interface WatchedEndpoint {
  name: string
  /** The origin that its requests go to. */
  origin: string
  /** By how many ms the venue's clock is ahead of ours. */
  aheadMs: () => number
  /** Whether the venue refuses our address. */
  isBanned: () => boolean
  /** The share of the allowed requests that is left. */
  budgetLeft: () => number
  /** The least share that any account had left of the orders it may send, in the last minute or two. */
  accountBudgetLeft: () => number
}

const watched = new WeakMap<VenueConnections, WatchedEndpoint[]>()

/** Notes an address that is spoken to over these connections. */
export function noteEndpoint(connections: VenueConnections, endpoint: WatchedEndpoint): void {
  const endpoints = watched.get(connections) ?? []
  watched.set(connections, endpoints)
  endpoints.push(endpoint)
}

/** True while a venue at this origin refuses us. */
export function isBannedAt(connections: VenueConnections, origin: string): boolean {
  return endpointsOf(connections).some((endpoint) => endpoint.origin === origin && endpoint.isBanned())
}

/** The addresses that are spoken to over these connections. */
export function endpointsOf(connections: VenueConnections): readonly WatchedEndpoint[] {
  return watched.get(connections) ?? []
}
