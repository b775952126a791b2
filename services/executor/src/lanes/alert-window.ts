import type { UserId } from '@tripline/proto/id'
import { createEventLoopYield } from '../venue/limits/event-loop-yield.ts'
import { createLaneCounts, type LaneCounts } from './alert-lanes.ts'
import {
  createAlertMemory,
  emptyHolding,
  type Holding,
  type WindowItem,
  type WindowLimits,
} from './alert-memory.ts'

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
  /** Count of alerts that have not begun. */
  waiting: () => number
}

/** One user's alerts, and the waiting ones of them. */
interface Load<Item> extends Holding<Item> {
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
  const room = createAlertMemory<Item>(limits)
  const nextTurn = createEventLoopYield(1)
  let isTurnTaken = false

  const letGo = (item: Item): void => {
    const load = loads.get(item.userId)
    if (load === undefined || !load.held.has(item)) return
    const wasShared = room.isShared(item)
    room.release(load, item)
    forgetIdle(item.userId, load)
    if (wasShared && queue.size > 0) admit()
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
      const next = load.fronts.find((item) => room.hasRoom(load, item))
      if (next === undefined) return
      load.starting = next
      setWaiting(
        load,
        load.waiting.filter((item) => item !== next),
      )
      room.hold(load, next)
      queue.delete(userId)
      if (load.waiting.length > 0) queue.add(userId)
      // A large one takes long to parse: between two of them the others have their turn.
      if (room.isShared(next)) await nextTurn()
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
    if (room.isSmall(load, item)) return true
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
      if (isNext && room.hasRoom(load, item) && takesTurn(load, item)) {
        room.hold(load, item)
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
      if (!load.held.has(item)) room.hold(load, item)
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

function newLoad<Item>(): Load<Item> {
  const waiting = { waiting: [], waitingLanes: createLaneCounts(), fronts: [], starting: undefined }
  return { ...emptyHolding<Item>(), ...waiting }
}
