import { type Bus, streamUse } from '@tripline/kit/bus/bus'

const lookEveryMs = 1000
/** Up to this part of the room no user takes more than a tenth of what is left of it; beyond it the room is shared out evenly. */
const firstPart = 0.5
/** From this part of it on there is room for exits, and for one small alert of each user who has none there. */
const reservedFrom = 0.9
/**
 * The bytes that a small alert may take, and that all alerts of a user may take with one more exit, however little is
 * left.
 */
const smallBytes = 8192
const exitBytes = 32_768

/** The bytes stored in a stream, and the most it may hold. */
export interface RoomUse {
  bytes: number
  room: number
}

/** A user's claim on room. */
interface RoomAsking {
  /** The number of the user's alerts there with the one that is to be stored. */
  count: number
  isExit: boolean
  /** The share of the user's part that counts. */
  share: number
}

/** The room that the alerts of all users share. */
export interface AlertRoom {
  /** Returns how many bytes the alerts of a user may have, by what all have together. */
  most: (asking: RoomAsking) => number
  /** Counts what is about to be stored. */
  note: (bytes: number) => void
  stop: () => void
}

/**
 * Looks each second at how full ALERTS is, and counts what this process stores meanwhile. A bus that does not answer
 * leaves the last use.
 */
export async function openAlertRoom(bus: Bus, users: number): Promise<AlertRoom> {
  let use: RoomUse | undefined
  const look = async (): Promise<void> => {
    use = await streamUse(bus, 'ALERTS').catch(() => use)
  }
  await look()
  const looking = setInterval(() => void look(), lookEveryMs).unref()
  return {
    most: ({ count, isExit, share }) => {
      if (use === undefined) return Number.POSITIVE_INFINITY
      const reserved = isExit ? exitBytes : count === 1 ? smallBytes : 0
      return Math.max(reserved, partOf(use, users) * share)
    },
    note: (bytes) => {
      if (use !== undefined) use = { ...use, bytes: use.bytes + bytes }
    },
    stop: () => clearInterval(looking),
  }
}

/** Returns how many bytes one of so many users may hold, the fewer the less is left. */
export function partOf({ bytes, room }: RoomUse, users: number): number {
  const ofFirst = Math.max(0, room * firstPart - bytes) / 10
  const ofOthers = Math.max(0, room * reservedFrom - Math.max(bytes, room * firstPart)) / users
  return ofFirst + ofOthers
}
