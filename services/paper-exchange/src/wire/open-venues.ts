import type { Backing, VenueWire } from './backing.ts'
import type { WireName } from './bases.ts'
import { createFeed, disconnectStruck } from './feed.ts'
import type { OpenSockets } from './open-sockets.ts'
import { WIRES } from './wires.ts'

/** The parts that all venues share, and the sockets of all their clients. */
export type Behind = Readonly<Omit<Backing, 'feed' | 'onExpireListenKeys'> & { sockets: OpenSockets }>

/** The venues, open for requests. */
export type OpenVenues = Readonly<{
  of: (wire: WireName) => VenueWire | undefined
  /** Does what faults that have just been armed do without waiting for a request or an event. */
  provoke: () => void
}>

/** Opens every venue over what stands behind them. */
export function openVenues(behind: Behind): OpenVenues {
  const { faults, sockets } = behind
  const expiring: (() => void)[] = []
  const open = new Map<string, VenueWire>()
  for (const [wire, create] of Object.entries(WIRES)) {
    const isStruck = (apiKey: string): boolean =>
      faults.strike({ wire, apiKey, symbol: undefined }, 'listenKey').length > 0
    const venue = create({
      ...behind,
      feed: createFeed(wire, faults, sockets),
      onExpireListenKeys: (expire) => void expiring.push(() => expire(isStruck)),
    })
    open.set(wire, venue)
  }
  return {
    of: (wire) => open.get(wire),
    provoke: () => {
      for (const expire of expiring) expire()
      disconnectStruck(faults, sockets)
    },
  }
}
