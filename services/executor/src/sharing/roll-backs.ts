import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus/bus'
import {
  confirmedEnd,
  isReplaced,
  isStreamGone,
  type StreamEnd,
  streamEnd,
} from '@tripline/kit/bus/stream-end'
import type { Log } from '@tripline/kit/telemetry/log'
import { now, steadyNow } from '@tripline/kit/time/clock'
import { cameBackUntil, type Loss, type Losses, lossOf } from '../domain/sharing/roll-back.ts'
import type { BusMarkStore, Generation, StoredMark } from '../store/bus-mark-store.ts'
import type { Mark } from '../store/restored-mark.ts'

/** The streams and buckets that are marked: all whose loss could let an alert be executed twice, or go unnoticed. */
const markedStreams = [
  'ALERTS',
  'EVENTS',
  'KV_leases',
  'KV_progress',
  'KV_watches',
  'KV_config',
  'KV_credentials',
  'KV_ids',
] as const

/** Interval of writing marks, and of comparing the bus with them though its connection stands. */
const markEveryMs = 1000
const compareEveryMs = 5000
/** A start does not wait longer for a database or a bus that is away: nothing is claimed before they are there. */
const firstMs = 5000
/** A database that does not answer in this time is not waited for by those who read. */
const databaseMs = 1000
const lookMs = 10
/** In this time others, if they are connected to another server, let marks grow. */
const othersMs = 1500

export interface RollBacksOptions {
  bus: Bus
  marks: BusMarkStore
  readRestoredMark: () => Promise<Mark>
  log: Log
}

/** Knowledge of whether the bus has lost what it had stored. */
export interface RollBacks {
  /** True once the bus was compared with its marks since it was last connected: before, nothing of it is to be relied on. */
  isCompared: () => boolean
  /** Settles once it was compared at least with what this process knows itself: the database may be away. */
  untilChecked: () => Promise<void>
  /** Alerts that the bus stored until then, by its clock, came back with a roll-back: their traces may be lost. */
  cameBackUntil: () => number
  /** Notes that somebody who reads a stream found that it has lost its end. */
  noteLostEnd: () => void
  /** Calls back once the bus turned out to hold alerts again that were gone from it. */
  onAlertsBack: (listener: () => void) => void
  /** The time at which a roll-back was noticed last; undefined where there was none. */
  rolledBackAt: () => number | undefined
  /** Compares the bus with its marks again and again, and lets them grow; settles once it is compared, or is not in time. */
  start: () => Promise<void>
  /** Marks what is known, and nothing more; settles once that is done. */
  stop: () => Promise<void>
}

interface RollBacksState extends RollBacksOptions {
  generation: Generation | undefined
  /** Until when alerts came back as far as this process found out itself, which may be before the database knows. */
  foundUntil: number
  /** By so much the clock of the bus is ahead of ours. */
  aheadMs: number
  /** The connection over which it was compared, and when. */
  comparedOver: number | undefined
  /** The connection over which it was compared with what this process knows. */
  checkedOver: number | undefined
  comparedAt: number
  /** Until when this process was connected, by the clock of the bus; undefined before it was compared. */
  connectedUntil: number | undefined
  ends: Map<string, StreamEnd>
  missing: Set<string>
  /** Streams that gave a sequence a second time, which their ends may not show any more. */
  reused: Set<string>
  listeners: (() => void)[]
  stopping: AbortController
  wake: () => void
  comparing: Promise<void>
}

/** A process that has not compared anything yet. */
export function createRollBacks(options: RollBacksOptions): RollBacks {
  const state: RollBacksState = {
    ...options,
    generation: undefined,
    foundUntil: 0,
    aheadMs: 0,
    comparedOver: undefined,
    checkedOver: undefined,
    comparedAt: 0,
    connectedUntil: undefined,
    ends: new Map(),
    missing: new Set(),
    reused: new Set(),
    listeners: [],
    stopping: new AbortController(),
    wake: () => undefined,
    comparing: Promise.resolve(),
  }
  const { bus, stopping } = state
  const compareAnew = (): void => {
    noteLostEnd(state)
    state.comparedOver = undefined
    state.wake()
  }
  const stops = [
    bus.onConnection((isConnected) => {
      if (isConnected) state.wake()
      else noteConnected(state)
    }),
    bus.ends.onReuse((stream) => {
      state.reused.add(stream)
      compareAnew()
    }),
  ]
  return {
    isCompared: () => isCompared(state),
    untilChecked: async () => {
      while (state.checkedOver !== bus.connections() && !stopping.signal.aborted) await sleep(lookMs)
    },
    cameBackUntil: () => Math.max(state.foundUntil, state.generation?.cameBackUntil ?? 0),
    noteLostEnd: compareAnew,
    onAlertsBack: (listener) => void state.listeners.push(listener),
    rolledBackAt: () => state.generation?.rolledBackAt,
    start: async () => {
      const first = Promise.withResolvers<void>()
      state.comparing = keepComparing(state, first.resolve).finally(first.resolve)
      await Promise.race([first.promise, sleep(firstMs, undefined, { ref: false })])
    },
    stop: async () => {
      stopping.abort()
      state.wake()
      for (const stop of stops) stop()
      await state.comparing
      if (isCompared(state)) await markLast(state)
    },
  }
}

function isCompared({ bus, comparedOver }: RollBacksState): boolean {
  return comparedOver === bus.connections() && bus.isConnected()
}

/** Notes that all that is stored by now was stored before what this process may find lost. */
function noteConnected(state: RollBacksState): void {
  if (state.connectedUntil !== undefined) state.connectedUntil = now() + state.aheadMs
}

/** The end of a stream is gone: what lies there again was stored while this process was connected. */
function noteLostEnd(state: RollBacksState): void {
  if (state.bus.isConnected() && isCompared(state)) noteConnected(state)
  if (state.connectedUntil !== undefined)
    state.foundUntil = Math.max(state.foundUntil, cameBackUntil(0, state.connectedUntil))
}

async function keepComparing(state: RollBacksState, onCompared: () => void): Promise<void> {
  const { bus, log, stopping } = state
  let isFailing = false
  while (!stopping.signal.aborted) {
    try {
      if (bus.isReady()) await compareOrMark(state)
      if (isCompared(state)) onCompared()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'the bus could not be compared with its marks yet')
      isFailing = true
    }
    await pause(state)
  }
}

async function compareOrMark(state: RollBacksState): Promise<void> {
  const isDue = steadyNow() - state.comparedAt > compareEveryMs
  if (!isCompared(state) || isDue) return await compare(state)
  noteConnected(state)
  const { generation } = state
  if (generation === undefined) return
  const present = await state.marks.write(generation.number, marksOf(state))
  if (present !== generation.number) await adopt(state)
}

/** Compares what is stored with what is known to have been, here and in the database. */
async function compare(state: RollBacksState): Promise<void> {
  const { bus, marks, ends } = state
  const over = bus.connections()
  if (isCompared(state)) noteConnected(state)
  const alone = setTimeout(() => void checkAlone(state).catch(() => undefined), databaseMs)
  const reading = marks.read().finally(() => clearTimeout(alone))
  const { generation, marks: stored } = await reading.catch(async (error: unknown) => {
    await checkAlone(state)
    throw error
  })
  if (state.generation !== undefined && generation.number !== state.generation.number) {
    await adopt(state)
    return
  }
  const known = new Map(stored.map((mark) => [mark.stream, mark]))
  const losses: Record<string, Loss> = {}
  const read = await Promise.all(
    markedStreams.map(async (stream) => [stream, await readEnd(state, stream, known.get(stream))] as const),
  )
  for (const [stream, found] of read) {
    if (found === undefined) continue
    if (found.loss !== undefined) losses[stream] = found.loss
    ends.set(stream, found.end)
    if (found.end.now !== undefined) state.aheadMs = found.end.now - now()
  }
  for (const stream of state.reused) losses[stream] ??= 'overwritten'
  const { id: restoreId } = await state.readRestoredMark()
  const isRestored = restoreId !== undefined && !generation.restoreIds.includes(restoreId)
  state.generation ??= generation
  if (!isRestored && Object.keys(losses).length > 0) await confirmLoss(state, stored)
  if (isRestored || Object.keys(losses).length > 0)
    return await begin(state, { generation, stored, losses, restoreId: isRestored ? restoreId : undefined })
  await finish(state, over)
}

/** Compares what is stored with what this process knows, while the database is away; before that it knows nothing. */
async function checkAlone(state: RollBacksState): Promise<void> {
  const { bus, connectedUntil, listeners } = state
  const over = bus.connections()
  if (connectedUntil === undefined || state.checkedOver === over) return
  const found = await Promise.all(
    markedStreams.map(async (stream) => await readEnd(state, stream, undefined)),
  )
  const losses = markedStreams.filter((_stream, index) => found[index]?.loss !== undefined)
  if (losses.length > 0) {
    state.foundUntil = Math.max(state.foundUntil, cameBackUntil(0, connectedUntil))
    state.log.error({ losses }, 'the bus was rolled back, and the database does not answer')
  }
  if (losses.includes('ALERTS')) for (const listener of listeners) listener()
  if (bus.connections() === over) state.checkedOver = over
}

/** The end of a stream and what it lost; undefined of one that is not there. */
async function readEnd(
  state: RollBacksState,
  stream: string,
  mark: StoredMark | undefined,
): Promise<{ end: StreamEnd; loss: Loss | undefined } | undefined> {
  const { bus, missing, log } = state
  const sequence = Math.max(mark?.sequence ?? 0, bus.ends.sequences().get(stream) ?? 0)
  try {
    const end = await confirmedEnd(bus, stream, sequence)
    missing.delete(stream)
    const createdAt = mark?.createdAt ?? state.ends.get(stream)?.createdAt ?? end.createdAt
    const seen = mark?.seen
    // Of this bucket an executor may read nothing.
    const isOverwritten = seen !== undefined && stream !== 'KV_ids' && (await isReplaced(bus, stream, seen))
    return { end, loss: lossOf({ createdAt, sequence, seen }, { ...end, isOverwritten }) }
  } catch (error) {
    if (!isStreamGone(error)) throw error
    if (!missing.has(stream)) log.error({ stream }, 'a stream of the bus is gone: setup makes it again')
    missing.add(stream)
    return undefined
  }
}

/**
 * Throws where others mark more than this process sees: it is connected to a server of a cluster that is cut off from theirs,
 * and does not know yet that it leads no more.
 */
async function confirmLoss({ bus, marks }: RollBacksState, before: readonly StoredMark[]): Promise<void> {
  await sleep(othersMs)
  const known = new Map(before.map(({ stream, sequence }) => [stream, sequence]))
  const { marks: present } = await marks.read()
  for (const { stream, sequence } of present) {
    if (sequence <= (known.get(stream) ?? 0)) continue
    const end = await streamEnd(bus, stream)
    if (end.sequence < sequence) throw new Error(`others see more of ${stream} than this process does`)
  }
}

interface Found {
  generation: Generation
  stored: readonly StoredMark[]
  losses: Losses
  /** Set where the bus was restored by hand since its last generation began. */
  restoreId: string | undefined
}

/** Begins a new generation of marks, so that the loss is noticed once. */
async function begin(state: RollBacksState, { generation, stored, losses, restoreId }: Found): Promise<void> {
  const { bus, marks, log } = state
  const markedAt = Math.max(0, ...stored.map((mark) => mark.markedAt))
  const until = cameBackUntil(markedAt, state.connectedUntil)
  bus.ends.forget()
  const number = generation.number + 1
  const isBegun = await marks.begin({
    number,
    cause: restoreId === undefined ? 'rolled back' : 'restored',
    losses,
    cameBackUntil: stored.length === 0 && state.connectedUntil === undefined ? 0 : until,
    restoreId,
    marks: marksOf(state),
  })
  if (isBegun && restoreId === undefined)
    log.error(
      { losses, cameBackUntil: new Date(until).toISOString(), generation: number },
      'the bus was rolled back: it lacks what it had stored, alerts that came back are looked up and not executed',
    )
  else if (isBegun) log.info({ restoreId, generation: number }, 'the bus was restored from a back-up')
  await adopt(state)
}

/** Goes by the present generation, which this process or another began. */
async function adopt(state: RollBacksState): Promise<void> {
  const { bus, marks, listeners } = state
  const over = bus.connections()
  const { generation } = await marks.read()
  state.generation = generation
  state.reused.clear()
  bus.ends.forget()
  for (const stream of markedStreams) {
    const end = await confirmedEnd(bus, stream, 0).catch(() => undefined)
    if (end !== undefined) state.ends.set(stream, end)
  }
  if ('ALERTS' in generation.losses) for (const listener of listeners) listener()
  await finish(state, over)
}

async function finish(state: RollBacksState, over: number): Promise<void> {
  const { bus, marks, generation } = state
  state.comparedAt = steadyNow()
  state.connectedUntil = now() + state.aheadMs
  await marks.write(generation?.number ?? 0, marksOf(state))
  if (bus.connections() !== over) return
  state.comparedOver = over
  state.checkedOver = over
}

/** Marks what came since the last time: a process that ends in order leaves nothing unmarked. */
async function markLast(state: RollBacksState): Promise<void> {
  const { marks, generation, log } = state
  await marks.write(generation?.number ?? 0, marksOf(state)).catch((error: unknown) => {
    log.warn({ err: error }, 'the last marks of the bus were not written')
  })
}

/** The marks by what this process knows: the ends that it asked for, and what it read or stored since. */
function marksOf({ bus, ends, aheadMs }: RollBacksState): StoredMark[] {
  const sequences = bus.ends.sequences()
  const markedAt = now() + aheadMs
  return [...ends].map(([stream, { createdAt, sequence, storedAt }]) => {
    const read = bus.ends.seen(stream)
    const asked = storedAt === undefined ? undefined : { sequence, storedAt }
    return {
      stream,
      createdAt,
      sequence: Math.max(sequence, sequences.get(stream) ?? 0),
      seen: (read?.sequence ?? 0) > sequence ? read : asked,
      markedAt,
    }
  })
}

/** Waits for a while, or until there is something to compare. */
async function pause(state: RollBacksState): Promise<void> {
  const waking = new AbortController()
  state.wake = () => waking.abort()
  if (state.stopping.signal.aborted) return
  await sleep(markEveryMs, undefined, { signal: waking.signal, ref: false }).catch(() => undefined)
}
