import type { UserId } from '@tripline/proto/id'
import { createLaneCounts, type LaneCounts, type LaneUses } from './alert-lanes.ts'
import { createTurns } from './venue/turns.ts'

/** How much of the alerts that wait is held in memory; the rest stays in the stream until there is room for it. */
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

/** What is run carefully has this part of the room of all. */
const carefulShare = 8

/** An alert as the window sees it. */
export interface WindowItem {
  userId: UserId
  bytes: number
  lanes: LaneUses
  /** Where it lies; one that is careful runs one alert of a user at a time, and little of what is not small. */
  partition: { number: number; isCareful: boolean }
}

/** Admits alerts to memory: those of one lane in their order, lanes side by side, and users in turn. */
export interface AlertWindow<Item extends WindowItem> {
  /** True for an alert that may begin now; one that may not is begun later, with its body read again. */
  enter: (item: Item) => boolean
  /** Makes room for others; an alert leaves once. */
  leave: (item: Item) => void
  /** Takes no more room while it sleeps. */
  setAside: (item: Item, isAside: boolean) => void
  /** Forgets the alerts of a partition that have not begun, and returns them. */
  drop: (partition: number) => Item[]
  /** How many alerts have not begun. */
  waiting: () => number
}

/** What one user holds. */
interface Load<Item> {
  held: Set<Item>
  heldLanes: LaneCounts
  smallBytes: number
  bytes: number
  headBytes: number
  waiting: Item[]
  waitingLanes: LaneCounts
  /** Those that nothing of their lanes waits before. */
  fronts: Item[]
  /** The one that has room and is being read. */
  starting: Item | undefined
}

/** An empty window; `begin` reads the body of an alert and begins it, and settles once it has begun. */
export function createAlertWindow<Item extends WindowItem>(
  limits: WindowLimits,
  begin: (item: Item) => Promise<void>,
): AlertWindow<Item> {
  const loads = new Map<UserId, Load<Item>>()
  /** The users with alerts that wait, the one whose turn it is first. */
  const queue = new Set<UserId>()
  const small = new Set<Item>()
  const heads = new Set<Item>()
  const careful = new Set<Item>()
  let total = 0
  let carefulTotal = 0
  const nextTurn = createTurns(1)
  let isTurnTaken = false

  const isSmall = (load: Load<Item>, { bytes }: Item): boolean => load.smallBytes + bytes <= limits.smallBytes
  const hasUsualRoom = (load: Load<Item>, item: Item): boolean => {
    const { isCareful } = item.partition
    if (load.held.size >= (isCareful ? 1 : limits.userAlerts)) return false
    if (isSmall(load, item)) return true
    if (isCareful && !isWithin(carefulTotal, item.bytes, limits.totalBytes / carefulShare)) return false
    return (
      isWithin(load.bytes, item.bytes, limits.userBytes) && isWithin(total, item.bytes, limits.totalBytes)
    )
  }
  /** True for the first of a lane of which nothing is held: what other lanes hold is not in its way. */
  const isHead = (load: Load<Item>, { lanes, bytes, partition }: Item): boolean =>
    !partition.isCareful && load.headBytes + bytes <= limits.headBytes && !load.heldLanes.touches(lanes)
  const hasRoom = (load: Load<Item>, item: Item): boolean => hasUsualRoom(load, item) || isHead(load, item)
  const hold = (load: Load<Item>, item: Item): void => {
    const isBesides = !hasUsualRoom(load, item) && isHead(load, item)
    load.held.add(item)
    load.heldLanes.add(item.lanes)
    if (isBesides) {
      heads.add(item)
      load.headBytes += item.bytes
      return
    }
    if (isSmall(load, item)) {
      small.add(item)
      load.smallBytes += item.bytes
      return
    }
    if (item.partition.isCareful) {
      careful.add(item)
      carefulTotal += item.bytes
    }
    load.bytes += item.bytes
    total += item.bytes
  }
  const letGo = (item: Item): void => {
    const load = loads.get(item.userId)
    if (load?.held.delete(item) !== true) return
    load.heldLanes.remove(item.lanes)
    const isOwn = small.has(item) || heads.has(item)
    if (small.delete(item)) load.smallBytes -= item.bytes
    else if (heads.delete(item)) load.headBytes -= item.bytes
    else {
      if (careful.delete(item)) carefulTotal -= item.bytes
      load.bytes -= item.bytes
      total -= item.bytes
    }
    forgetIdle(item.userId, load)
    if (!isOwn && queue.size > 0) admit()
    else if (load.waiting.length > 0) void drain(item.userId, load)
  }
  const admit = (): void => {
    for (const userId of [...queue]) {
      const load = loads.get(userId)
      if (load !== undefined) void drain(userId, load)
    }
  }
  const drain = async (userId: UserId, load: Load<Item>): Promise<void> => {
    while (load.starting === undefined) {
      const next = load.fronts.find((item) => hasRoom(load, item))
      if (next === undefined) return
      load.starting = next
      setWaiting(
        load,
        load.waiting.filter((item) => item !== next),
      )
      hold(load, next)
      queue.delete(userId)
      if (load.waiting.length > 0) queue.add(userId)
      // A large one takes long to parse: between two of them it is everybody else's turn.
      if (!small.has(next) && !heads.has(next)) await nextTurn()
      await begin(next)
      load.starting = undefined
      forgetIdle(userId, load)
    }
  }
  const forgetIdle = (userId: UserId, load: Load<Item>): void => {
    if (load.held.size + load.waiting.length === 0 && load.starting === undefined) loads.delete(userId)
  }
  /** True where a large alert may be parsed in this turn of the event loop: the first one may. */
  const takesTurn = (load: Load<Item>, item: Item): boolean => {
    if (isSmall(load, item)) return true
    if (isTurnTaken || queue.size > 0) return false
    isTurnTaken = true
    setImmediate(() => {
      isTurnTaken = false
      admit()
    })
    return true
  }
  return {
    enter: (item) => {
      const { userId } = item
      const load = loads.get(userId) ?? newLoad<Item>()
      loads.set(userId, load)
      const { starting, waitingLanes } = load
      const isBehind = starting !== undefined && shareLane(starting, item)
      const isNext = !isBehind && !waitingLanes.touches(item.lanes)
      if (isNext && hasRoom(load, item) && takesTurn(load, item)) {
        hold(load, item)
        return true
      }
      addWaiting(load, item)
      queue.add(userId)
      if (!isTurnTaken) void drain(userId, load)
      return false
    },
    leave: letGo,
    setAside: (item, isAside) => {
      if (isAside) return letGo(item)
      const load = loads.get(item.userId) ?? newLoad<Item>()
      loads.set(item.userId, load)
      if (!load.held.has(item)) hold(load, item)
    },
    drop: (partition) => {
      const dropped: Item[] = []
      for (const [userId, load] of loads) {
        const { starting } = load
        if (starting?.partition.number === partition) dropped.push(starting)
        dropped.push(...load.waiting.filter((item) => item.partition.number === partition))
        setWaiting(
          load,
          load.waiting.filter((item) => item.partition.number !== partition),
        )
        if (load.waiting.length > 0) continue
        queue.delete(userId)
        forgetIdle(userId, load)
      }
      return dropped
    },
    waiting: () => [...queue].reduce((sum, userId) => sum + (loads.get(userId)?.waiting.length ?? 0), 0),
  }
}

function addWaiting<Item extends WindowItem>(load: Load<Item>, item: Item): void {
  load.waiting.push(item)
  if (!load.waitingLanes.touches(item.lanes)) load.fronts.push(item)
  load.waitingLanes.add(item.lanes)
}

/** Leaves these waiting, of those that do. */
function setWaiting<Item extends WindowItem>(load: Load<Item>, waiting: Item[]): void {
  Object.assign(load, { waiting: [], fronts: [], waitingLanes: createLaneCounts() })
  for (const item of waiting) addWaiting(load, item)
}

function shareLane(one: WindowItem, other: WindowItem): boolean {
  const lanes = createLaneCounts()
  lanes.add(one.lanes)
  return lanes.touches(other.lanes)
}

/** True where so many more fit; a single one always does. */
function isWithin(held: number, more: number, most: number): boolean {
  return held === 0 || held + more <= most
}

function newLoad<Item>(): Load<Item> {
  const lanes = { heldLanes: createLaneCounts(), waitingLanes: createLaneCounts() }
  const held = { held: new Set<Item>(), smallBytes: 0, bytes: 0, headBytes: 0 }
  return { ...held, ...lanes, waiting: [], fronts: [], starting: undefined }
}
