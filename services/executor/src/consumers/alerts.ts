import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, deleteMessage, deleteRead, type ReadMessage } from '@tripline/kit/bus/bus'
import { areApart } from '@tripline/kit/bus/known-ends'
import { storedMessage } from '@tripline/kit/bus/last-message'
import type { StreamMessage } from '@tripline/kit/bus/stream-reader'
import type { Log } from '@tripline/kit/telemetry/log'
import { now, steadyNow } from '@tripline/kit/time/clock'
import { type AlertMessage, StoredAlert } from '@tripline/proto/alert'
import { diagnosticCodes } from '@tripline/proto/error-code'
import type { AlertId, BotId, ExecutionId, UserId } from '@tripline/proto/id'
import type { Hold } from '../domain/sharing/lease.ts'
import { laneUsesIn } from '../lanes/alert-lanes.ts'
import type { WindowItem, WindowLimits } from '../lanes/alert-memory.ts'
import { createAlertWindow } from '../lanes/alert-window.ts'
import type { AlertDelays } from '../monitoring/alert-delays.ts'
import { InterruptedError } from '../run/drive.ts'
import { areEventsLost, isEndStored, type PriorAttempt } from '../run/prior-attempt.ts'
import type { PriorLane } from '../run/prior-lane.ts'
import type { Claim, Leaving } from '../sharing/state.ts'
import { createAlertEndsReader } from '../store/alert-ends.ts'
import { type PriorEvents, readPriorEvents } from '../store/event-log.ts'
import { always, untilStored } from '../store/until-stored.ts'
import { type AlertRunnerOptions, createAlertRunner } from './alert-runner.ts'

/** Time that an alert waits for the client of a bot that was only just linked, or whose venue cannot be reached. */
const clientWaitMs = 10_000
/** The same for one that an earlier owner may have begun: its rest is not dropped because a venue is slow. */
const heirWaitMs = 120_000

/** Takes alerts in the order of their stream and runs them. */
export interface AlertConsumer {
  /** Messages of this partition come from now on; one whose owners died again and again is run carefully at first. */
  enter: (partition: number, isCareful: boolean) => void
  /**
   * Takes one message of a partition; `claim` is set for a message that was stored there before the partition was claimed,
   * `isRestored` for what came back with a back-up, or as the bus had lost its end.
   */
  take: (message: StreamMessage, claim: Claim | undefined, isRestored: boolean) => void
  /** All that was stored in the partition at its claim was taken. */
  caughtUp: (partition: number) => void
  /** The partitions whose alerts it takes. */
  partitions: () => number[]
  /** Number of a partition's alerts that run. */
  loadOf: (partition: number) => number
  /** Ends in this partition after what is in flight; settles when that has ended or had its time. */
  leave: (partition: number, graceMs: number) => Promise<Leaving>
}

export interface AlertConsumerOptions extends AlertRunnerOptions {
  delays: Pick<AlertDelays, 'taken' | 'executed' | 'claimed'>
  window: WindowLimits
  /** Called when all that was stored in a partition at its claim has been run, or sleeps. */
  onRunThrough: (partition: number) => void
}

/** A consumer that runs every alert it takes once. */
export function createAlertConsumer(options: AlertConsumerOptions): AlertConsumer {
  const { bus, log, metrics, delays } = options
  const served = new Map<number, ServedPartition>()
  const running = new Map<string, { partition: number; sequence: number; ended: Promise<void> }>()
  const ended = createLastEnded()
  const run = createAlertRunner(options)
  const inherit = createInheritances(options)
  const admit = createAdmission(options)
  const isServed = (of: ServedPartition): boolean =>
    served.get(of.number) === of && !of.stopping.signal.aborted
  const runningIn = (partition: number): Promise<void>[] =>
    [...running.values()].flatMap((one) => (one.partition === partition ? [one.ended] : []))
  const noteRunThrough = (of: ServedPartition): void => {
    if (!isServed(of) || !of.isCaughtUp || of.backlog.size > 0) return
    if (of.isCareful) log.info({ partition: of.number }, 'partition is run as usual again')
    of.isCareful = false
    options.onRunThrough(of.number)
  }
  const leaveBacklog = (message: TakenMessage): void => {
    if (message.partition.backlog.delete(message)) noteRunThrough(message.partition)
  }
  const dismiss = (message: TakenMessage): void => {
    leaveBacklog(message)
    window.leave(message)
  }
  const begin = (message: TakenMessage, text: string): void => {
    const { partition: of, claim, isRestored, sequence, bytes, durableAt, traceparent } = message
    const alert = readAlert(bus, text, sequence)
    const isStopping = of.stopping.signal.aborted
    const same = alert && running.get(alert.alertId)
    if (same !== undefined && !isStopping) removeCopy(bus, sequence, same.sequence)
    const read = { sequence, storedAt: durableAt, connection: message.connection }
    // Read again, since the stream had lost its end: it ended here meanwhile.
    const isDone = alert?.isFirst === true && ended.has(alert.alertId)
    if (isDone) void deleteRead(bus, 'ALERTS', read).catch(() => undefined)
    if (alert === undefined || isStopping || same !== undefined || isDone) {
      dismiss(message)
      return
    }
    const at = { read, durableAt, takenAt: now() }
    const taken = {
      alert,
      characters: bytes,
      ...at,
      traceparent,
      stopping: of.stopping.signal,
      onSleep: countSleepers(alert, {
        // Alerts beside a sleeping one are in doubt still.
        onAllAsleep: () => leaveBacklog(message),
        onAside: (isAside) => window.setAside(message, isAside),
      }),
      onDone: () => window.leave(message),
    }
    const isNew = isUnbegun(message) && alert.isFirst && !isRestored
    const prepare = isNew ? undefined : async () => await inherit(alert, claim, isRestored)
    const openBy = taken.takenAt + (isNew && claim === undefined ? clientWaitMs : heirWaitMs)
    const whole = admit({ alert, prepare, openBy, stopped: of.stopped }, async (priorAttempt, onLeftOut) => {
      if (taken.stopping.aborted) throw new InterruptedError(priorAttempt)
      if (priorAttempt?.hasEnded === true) return await removeEnded(options, alert, read)
      await run({ ...taken, onLeftOut }, priorAttempt)
    })
    const settled = whole.then(
      () => {
        ended.add(alert.alertId)
        leaveBacklog(message)
      },
      // One that failed is still in doubt, and so is its partition.
      (error: unknown) => noteFailure(error, alert, of, log),
    )
    const left = settled.finally(() => {
      running.delete(alert.alertId)
      window.leave(message)
      delays.executed()
    })
    running.set(alert.alertId, { partition: of.number, sequence, ended: left })
  }
  const window = createAlertWindow<TakenMessage>(options.window, async (message) => {
    const text = await readBody(bus, message)
    if (text === undefined) dismiss(message)
    else begin(message, text)
  })
  metrics.alertsRunning.follow(() => [[{}, running.size]])
  metrics.alertsOutside.follow(() => [[{}, window.waiting()]])
  metrics.partitionsCareful.follow(() => [
    [{}, [...served.values()].filter((of) => of.isCareful && isServed(of)).length],
  ])
  return {
    enter: (number, isCareful) => {
      delays.claimed()
      const stopping = new AbortController()
      const stopped = new Promise<unknown>((resolve) => {
        stopping.signal.addEventListener('abort', resolve, { once: true })
      })
      const reading = { backlog: new Set<TakenMessage>(), isCaughtUp: false }
      served.set(number, { number, isCareful, stopping, stopped, isUndecided: false, ...reading })
    },
    take: (message, claim, isRestored) => {
      const [, number, userId] = message.subject.split('.')
      const of = served.get(Number(number))
      if (of === undefined || of.stopping.signal.aborted) return
      const { sequence, storedAt: durableAt, traceparent, text } = message
      const lanes = laneUsesIn(options, userId as UserId, text)
      const about = { userId: userId as UserId, bytes: text.length, lanes, partition: of }
      const connection = bus.connections()
      const taken = { ...about, sequence, durableAt, connection, traceparent, claim, isRestored }
      if (claim !== undefined) of.backlog.add(taken)
      // Alerts that came back waited for nobody.
      else if (!isRestored) delays.taken(now() - durableAt)
      if (window.enter(taken)) begin(taken, text)
    },
    caughtUp: (partition) => {
      const of = served.get(partition)
      if (of === undefined || of.isCaughtUp) return
      of.isCaughtUp = true
      noteRunThrough(of)
    },
    partitions: () => [...served.values()].filter(isServed).map(({ number: partition }) => partition),
    loadOf: (partition) => runningIn(partition).length,
    leave: async (partition, graceMs) => {
      const of = served.get(partition)
      of?.stopping.abort()
      const unread = window.drop(partition)
      // Unread alerts are in doubt still.
      if (of !== undefined && unread.some(({ claim }) => claim?.notAbsentBefore !== undefined))
        of.isUndecided = true
      const ended = Promise.all(runningIn(partition)).then(() => undefined)
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs).unref())])
      return { isSettled: of?.isUndecided !== true && runningIn(partition).length === 0, ended }
    },
  }
}

/** An alert that came again while it runs, long after it was stored first: its result answers both. */
function removeCopy(bus: Bus, sequence: number, running: number): void {
  if (sequence !== running) void deleteMessage(bus, 'ALERTS', sequence).catch(() => undefined)
}

/** Takes an alert that had ended out of the stream, where it lay again: whoever waited for its result got it then. */
async function removeEnded(
  { bus, progress, log }: AlertConsumerOptions,
  { alertId, userId }: AlertMessage,
  read: ReadMessage,
): Promise<void> {
  log.warn({ alertId }, 'alert lay in the stream again, though it had ended: removed')
  await progress.forget(userId, alertId)
  const remove = async (): Promise<void> => await deleteRead(bus, 'ALERTS', read)
  await untilStored(bus, always, remove, `end of ${alertId}`)
}

/** So many of the last alerts that ended are known, by their ids. */
const mostEnded = 10_000

/** The last alerts that ended here. */
function createLastEnded(): Pick<Set<AlertId>, 'has' | 'add'> {
  const ids = new Set<AlertId>()
  return {
    has: (id) => ids.has(id),
    add: (id) => {
      const [oldest] = ids
      if (ids.size >= mostEnded && oldest !== undefined) ids.delete(oldest)
      return ids.add(id)
    },
  }
}

/** Counts the blocks of an alert that sleep: with the first one it is set aside, until none does. */
function countSleepers(
  { blocks }: AlertMessage,
  { onAllAsleep, onAside }: { onAllAsleep: () => void; onAside: (isAside: boolean) => void },
): (executionId: ExecutionId, sleeps: boolean) => void {
  const asleep = new Set<ExecutionId>()
  return (executionId, sleeps) => {
    const wasAside = asleep.size > 0
    if (sleeps) asleep.add(executionId)
    else asleep.delete(executionId)
    if (asleep.size === blocks.length) onAllAsleep()
    if (wasAside !== asleep.size > 0) onAside(!wasAside)
  }
}

/** A message of the stream as it was taken; its body is read again where there was no room for it. */
interface TakenMessage extends WindowItem {
  partition: ServedPartition
  sequence: number
  durableAt: number
  /** The connection over which it was taken. */
  connection: number
  traceparent: string | undefined
  claim: Claim | undefined
  isRestored: boolean
}

/** True for a message that no former owner can have begun: it came too late, or was not sent to the only one. */
function isUnbegun({ claim, sequence, durableAt }: TakenMessage): boolean {
  if (claim === undefined) return true
  const { unbegunFrom = Number.POSITIVE_INFINITY, sentTo = Number.POSITIVE_INFINITY } = claim
  return durableAt >= unbegunFrom || sequence > sentTo
}

/** The body of an alert; undefined where it is not needed any more, or another one has its place. */
async function readBody(
  bus: Bus,
  { partition, sequence, durableAt }: TakenMessage,
): Promise<string | undefined> {
  const hold = (): Hold => (partition.stopping.signal.aborted ? 'gone' : 'held')
  const read = async (): Promise<string | undefined> => {
    const message = await storedMessage(bus.manager.streams, 'ALERTS', sequence)
    return message === undefined || areApart(message.time.getTime(), durableAt) ? undefined : message.string()
  }
  return await untilStored(bus, hold, read, `alert ${sequence}`).catch(() => undefined)
}

/** An alert that did not come to its end stays in the stream; one that had to be left in doubt is its partition's too. */
function noteFailure(error: unknown, { alertId }: AlertMessage, of: ServedPartition, log: Log): void {
  const isInterrupted = error instanceof InterruptedError
  if (!isInterrupted || error.isUndecided) of.isUndecided = true
  if (!isInterrupted) log.error({ err: error, alertId }, 'alert left behind')
}

/** A partition whose alerts are taken. */
interface ServedPartition {
  number: number
  isCareful: boolean
  stopping: AbortController
  /** Settles once it is stopping. */
  stopped: Promise<unknown>
  /** Something had to be left in doubt. */
  isUndecided: boolean
  /** Messages that were stored there at its claim and have not ended. */
  backlog: Set<TakenMessage>
  isCaughtUp: boolean
}

interface Entry {
  alert: AlertMessage
  prepare: (() => Promise<PriorAttempt>) | undefined
  /** Time until which its bots may take to be warm; the rest of it counts from their first try. */
  openBy: number
  /** Settles when nothing is begun any more. */
  stopped: Promise<unknown>
}

/** Begins an alert; calls back at once where a part of it ends outside of its lane, with when that is stored. */
type Start = (
  priorAttempt: PriorAttempt | undefined,
  onLeftOut: (stored: Promise<void>) => void,
) => Promise<void>

type Admit = (entry: Entry, start: Start) => Promise<void>

/** Intake may know a bot that was only just linked before this process does; after this long it was unlinked instead. */
const knownWithinMs = 2000
const lookAgainMs = 20

/** Settles once the bot is known, or it is not to be waited for any more. */
async function untilKnown(isKnown: () => boolean, stopped: Promise<unknown>): Promise<void> {
  const deadline = steadyNow() + knownWithinMs
  let isOver = false
  void stopped.then(() => {
    isOver = true
  })
  while (!isKnown() && !isOver && steadyNow() < deadline) await sleep(lookAgainMs)
}

/**
 * Starts an alert at once when every bot of it is warm and nothing has to be prepared; else it is prepared first, and
 * the user's later alerts at the same venues start behind it: lanes are entered in the order of the stream.
 */
function createAdmission({ pool, directory }: Pick<AlertRunnerOptions, 'pool' | 'directory'>): Admit {
  const lastAt = new Map<string, Promise<unknown>>()
  // Bots of one account, which share its lanes, trade on one market of one network; of one bot that is not known yet
  // the alerts stay in order too.
  const venuesOf = (userId: UserId, botId: BotId): string[] => {
    const bot = directory.bot(userId, botId)
    const venue = bot && `${userId} ${bot.exchange} ${bot.marketType} ${bot.isTestnet}`
    return [`${userId} ${botId}`, ...(venue === undefined ? [] : [venue])]
  }
  /** Lets what comes later at these venues wait for this one. */
  const letWait = (venues: Iterable<string>, last: Promise<unknown>): (() => void) => {
    for (const venue of venues) lastAt.set(venue, last)
    return () => {
      for (const venue of venues) if (lastAt.get(venue) === last) lastAt.delete(venue)
    }
  }
  return async ({ alert: { userId, blocks }, prepare, openBy, stopped }, start) => {
    const isWarm = blocks.every(({ botId }) => pool.client(botId) !== undefined)
    const venues = (): Set<string> => new Set(blocks.flatMap(({ botId }) => venuesOf(userId, botId)))
    // Endings outside of their lane are stored before anything behind them begins: a successor counts on that.
    let leftOut: Promise<unknown> | undefined
    const begin = async (priorAttempt: PriorAttempt | undefined): Promise<void> =>
      await start(priorAttempt, (stored) => {
        leftOut = stored.catch(() => undefined)
      })
    const ahead = lastAt.size === 0 ? [] : [...venues()].flatMap((venue) => lastAt.get(venue) ?? [])
    if (ahead.length === 0 && isWarm && prepare === undefined) {
      const ended = begin(undefined)
      const stopWaiting = leftOut && letWait(venues(), leftOut)
      return await ended.finally(stopWaiting)
    }
    const turn = (async () => {
      await Promise.all(ahead)
      const leftMs = Math.max(0, openBy - now())
      const open = blocks.map(async ({ botId }) => {
        await untilKnown(() => directory.bot(userId, botId) !== undefined, stopped)
        pool.hurry(botId)
        // Behind a takeover many clients are opened: a client that was not tried yet shows nothing about its venue.
        await pool.whenTried(botId, heirWaitMs)
        await pool.whenOpen(botId, leftMs)
      })
      await Promise.race([Promise.all(open), stopped])
      const priorAttempt = await prepare?.()
      const ended = begin(priorAttempt)
      ended.catch(() => undefined)
      await leftOut
      return { ended }
    })()
    const stopWaiting = letWait(
      venues(),
      turn.catch(() => undefined),
    )
    try {
      await (await turn).ended
    } finally {
      stopWaiting()
    }
  }
}

type Inherit = (alert: AlertMessage, claim: Claim | undefined, isRestored: boolean) => Promise<PriorAttempt>

/** The events of a user since a moment. */
interface StoriesRead {
  since: number
  priorEvents: Promise<PriorEvents>
}

/** Reads the stored events of earlier attempts once per claim and user: a backlog is one read, not one per alert. */
function createInheritances({ bus, holdOf, progress: progressStore }: AlertRunnerOptions): Inherit {
  const reads = new WeakMap<Claim, Map<UserId, StoriesRead>>()
  const begunOf = new WeakMap<Claim, Map<string, PriorLane>>()
  // A takeover reads for many users at once, which the bus may refuse for a moment.
  const readStories = async (userId: UserId, since: number): Promise<PriorEvents> => {
    const read = async (): Promise<PriorEvents> => await readPriorEvents(bus, userId, since)
    return await untilStored(bus, () => holdOf(userId), read, `stories of ${userId}`)
  }
  const alertEnds = createAlertEndsReader(bus)
  /** History may know of ends that the stream has lost. */
  const withEnds = async (
    alert: AlertMessage,
    attempt: Omit<PriorAttempt, 'hasEnded'>,
  ): Promise<PriorAttempt> => {
    const { priorEvents, isRestored } = attempt
    if (isEndStored(priorEvents, alert)) return { ...attempt, hasEnded: false }
    const ends = await alertEnds.read(alert, isRestored)
    if (ends === undefined) return { ...attempt, hasEnded: false }
    // Intake refuses an alert whose storage it could not confirm, and it is executed all the same.
    const isRefused = ends.refusal !== null && ends.refusal in diagnosticCodes
    if (isRefused || ends.ended >= alert.blocks.length) return { ...attempt, hasEnded: true }
    // The events of one that has waited for weeks may be gone by their age.
    const hasWaited = Object.keys(attempt.progress).length > 0
    if (hasWaited || !areEventsLost(priorEvents, alert, ends)) return { ...attempt, hasEnded: false }
    const notAbsentBefore = attempt.notAbsentBefore ?? now()
    return { ...attempt, notAbsentBefore, begun: undefined, isRestored: true, hasEnded: false }
  }
  return async (alert, claim, isRestored) => {
    const { alertId, userId, receivedAt, blocks, isFirst } = alert
    const mayWait = blocks.some(({ commands }) => commands.some(({ type }) => type === 'wait'))
    const progress = mayWait ? await progressStore.read(userId, alertId) : {}
    // One that was sent again may have ended since the claim: its events are younger than what was read for that.
    if (claim === undefined || !isFirst) {
      const priorEvents = await readStories(userId, receivedAt)
      const notAbsentBefore = Math.max(claim?.notAbsentBefore ?? 0, now())
      const overtaken = claim?.overtaken ?? new Set<string>()
      const attempt = { priorEvents, notAbsentBefore, begun: undefined, overtaken, progress, isRestored }
      return await withEnds(alert, attempt)
    }
    const ofClaim = reads.get(claim) ?? new Map<UserId, StoriesRead>()
    reads.set(claim, ofClaim)
    // The first alert of a user in the stream is the oldest one, unless one behind it was sent again much later.
    const known = ofClaim.get(userId)
    const read =
      known !== undefined && known.since <= receivedAt
        ? known
        : { since: receivedAt, priorEvents: readStories(userId, receivedAt) }
    ofClaim.set(userId, read)
    const notAbsentBefore = claim.notAbsentBefore ?? (isRestored ? now() : undefined)
    const begun = begunOf.get(claim) ?? new Map<string, PriorLane>()
    begunOf.set(claim, begun)
    // Alerts out of a back-up may have been begun in any order, and what was done behind them is not known.
    const inOrder = claim.inOrder && claim.notAbsentBefore !== undefined && !isRestored
    const priorEvents = await read.priorEvents
    const { overtaken } = claim
    return await withEnds(alert, {
      priorEvents,
      notAbsentBefore,
      begun: inOrder ? begun : undefined,
      overtaken,
      progress,
      isRestored,
    })
  }
}

/** A message that is no alert can never be run: it is reported and removed, so that it does not come again. */
function readAlert(bus: Bus, text: string, sequence: number): AlertMessage | undefined {
  try {
    return StoredAlert.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error, sequence }, 'not an alert, removed')
    void deleteMessage(bus, 'ALERTS', sequence).catch(() => undefined)
    return undefined
  }
}
