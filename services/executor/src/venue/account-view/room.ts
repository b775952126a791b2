import type { VenueConnections } from '../dispatcher.ts'

/** How much room is left at an address, of which all its clients take. */
export interface Room {
  /** Takes a place; false where none is left. */
  take: () => boolean
  giveBack: () => void
}

// Each account that is kept has a connection of its own, and all are made anew at once after an outage. Of an address venues
// take 300 in 5 minutes (Binance, https://academy.binance.com/en/articles/what-are-binance-websocket-limits) or 500 (Bybit,
// https://bybit-exchange.github.io/docs/v5/rate-limit); the rest is for what is followed and asked besides.
const mostKept = 200

const roomsOf = new WeakMap<VenueConnections, Map<string, Room>>()

/** The room for accounts that are kept at an address. */
export function roomAt(connections: VenueConnections, address: string): Room {
  const known = roomsOf.get(connections) ?? new Map<string, Room>()
  roomsOf.set(connections, known)
  const room = known.get(address) ?? createRoom(mostKept)
  known.set(address, room)
  return room
}

/** Room for so many, all of it free. */
export function createRoom(most: number): Room {
  let taken = 0
  return {
    take: () => {
      if (taken >= most) return false
      taken++
      return true
    },
    giveBack: () => {
      taken--
    },
  }
}
