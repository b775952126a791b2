import type { VenueConnections } from './dispatcher.ts'

/** An address of a venue, for whoever looks after the process. */
export interface WatchedSite {
  name: string
  /** The origin that its requests go to. */
  origin: string
  /** By how many ms the venue's clock is ahead of ours. */
  aheadMs: () => number
  /** Whether the venue hears nobody from our address. */
  isBanned: () => boolean
  /** The share of the allowed requests that is left. */
  budgetLeft: () => number
  /** The least share that any account had left of the orders it may send, in the last minute or two. */
  accountBudgetLeft: () => number
}

const watched = new WeakMap<VenueConnections, WatchedSite[]>()

/** Notes an address that is spoken to over these connections. */
export function noteSite(connections: VenueConnections, site: WatchedSite): void {
  const sites = watched.get(connections) ?? []
  watched.set(connections, sites)
  sites.push(site)
}

/** True while a venue at this origin wants to hear nothing of us. */
export function isBannedAt(connections: VenueConnections, origin: string): boolean {
  return sitesOf(connections).some((site) => site.origin === origin && site.isBanned())
}

/** The addresses that are spoken to over these connections. */
export function sitesOf(connections: VenueConnections): readonly WatchedSite[] {
  return watched.get(connections) ?? []
}
