import type { UserId } from '@tripline/proto/id'
import { createLaneCounts, type LaneCounts, type LaneUses } from './alert-lanes.ts'

/** Limits of waiting alerts in memory; the rest stays in the stream until there is room for it. */
export interface WindowLimits {
  /** An alert up to this size is small, and so is what a user holds up to it together: there is always room for that. */
  smallBytes: number
  /** The most alerts of one user, and their bytes beyond what is small. */
  userAlerts: number
  userBytes: number
  /** The most bytes of one user that are held besides, so that no lane waits for what other lanes hold. */
  headBytes: number
  /** The most bytes of all users beyond what is small. */
  totalBytes: number
}

/** The limits of a process with a heap of this size; an alert takes many times its size in memory while it runs. */
export function windowLimits(heapBytes: number): WindowLimits {
  const ofUser = { smallBytes: 16_384, userAlerts: 200, userBytes: 524_288, headBytes: 32_768 }
  return { ...ofUser, totalBytes: heapBytes / 100 }
}

/** Careful partitions have this part of the room of all. */
const carefulShare = 8

/** An alert as the window sees it. */
export interface WindowItem {
  userId: UserId
  bytes: number
  lanes: LaneUses
  /** Its partition; a careful one runs one alert of a user at a time, and little of what is not small. */
  partition: { number: number; isCareful: boolean }
}

/** Holding of one user. */
export interface Holding<Item> {
  held: Set<Item>
  heldLanes: LaneCounts
  smallBytes: number
  bytes: number
  headBytes: number
}

/** Nothing is held. */
export function emptyHolding<Item>(): Holding<Item> {
  return { held: new Set(), heldLanes: createLaneCounts(), smallBytes: 0, bytes: 0, headBytes: 0 }
}

/** The room in memory, of which each user has some apart, and all of them share the rest. */
export interface AlertMemory<Item extends WindowItem> {
  /** True where the user has room for one more. */
  hasRoom: (holding: Holding<Item>, item: Item) => boolean
  /** True where one more would be among what is small of its user. */
  isSmall: (holding: Holding<Item>, item: Item) => boolean
  /** Takes room, also where there is none. */
  hold: (holding: Holding<Item>, item: Item) => void
  /** True for one that takes of the room that all share. */
  isShared: (item: Item) => boolean
  /** Gives its room back, where it has any. */
  release: (holding: Holding<Item>, item: Item) => void
}

/** Room of which nothing is taken. */
export function createAlertMemory<Item extends WindowItem>(limits: WindowLimits): AlertMemory<Item> {
  const shared = new Set<Item>()
  const small = new Set<Item>()
  const careful = new Set<Item>()
  let total = 0
  let carefulTotal = 0
  const isSmall = ({ smallBytes }: Holding<Item>, { bytes }: Item): boolean =>
    smallBytes + bytes <= limits.smallBytes
  const hasUsualRoom = (holding: Holding<Item>, item: Item): boolean => {
    const { isCareful } = item.partition
    if (holding.held.size >= (isCareful ? 1 : limits.userAlerts)) return false
    if (isSmall(holding, item)) return true
    if (isCareful && !isWithin(carefulTotal, item.bytes, limits.totalBytes / carefulShare)) return false
    return (
      isWithin(holding.bytes, item.bytes, limits.userBytes) && isWithin(total, item.bytes, limits.totalBytes)
    )
  }
  /** True for the first of a lane of which nothing is held: alerts of other lanes are not in its way. */
  const isHead = ({ headBytes, heldLanes }: Holding<Item>, { lanes, bytes, partition }: Item): boolean =>
    !partition.isCareful && headBytes + bytes <= limits.headBytes && !heldLanes.touches(lanes)
  const share = (item: Item): void => {
    shared.add(item)
    total += item.bytes
    if (!item.partition.isCareful) return
    careful.add(item)
    carefulTotal += item.bytes
  }
  /** Ends its share, and says whether it had one. */
  const unshare = (item: Item): boolean => {
    if (!shared.delete(item)) return false
    total -= item.bytes
    // A partition may be careful no more.
    if (careful.delete(item)) carefulTotal -= item.bytes
    return true
  }
  return {
    isSmall,
    hasRoom: (holding, item) => hasUsualRoom(holding, item) || isHead(holding, item),
    hold: (holding, item) => {
      const isBesides = !hasUsualRoom(holding, item) && isHead(holding, item)
      holding.held.add(item)
      holding.heldLanes.add(item.lanes)
      if (isBesides) {
        holding.headBytes += item.bytes
      } else if (isSmall(holding, item)) {
        small.add(item)
        holding.smallBytes += item.bytes
      } else {
        share(item)
        holding.bytes += item.bytes
      }
    },
    isShared: (item) => shared.has(item),
    release: (holding, item) => {
      if (!holding.held.delete(item)) return
      holding.heldLanes.remove(item.lanes)
      if (small.delete(item)) holding.smallBytes -= item.bytes
      else if (unshare(item)) holding.bytes -= item.bytes
      else holding.headBytes -= item.bytes
    },
  }
}

/** True where so many more fit; a single one always does. */
function isWithin(held: number, more: number, most: number): boolean {
  return held === 0 || held + more <= most
}
