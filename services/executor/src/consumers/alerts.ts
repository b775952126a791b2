import { type Bus, deleteMessage, tell } from '@tripline/kit/bus'
import { now } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import type { StreamMessage } from '@tripline/kit/stream-reader'
import { type AlertBlock, AlertMessage } from '@tripline/proto/alert'
import type { ExecutionId, UserId } from '@tripline/proto/id'
import { partitionOf, resultSubject } from '@tripline/proto/subject'
import { limitsIn } from '../bot-limits.ts'
import type { Hold } from '../domain/lease.ts'
import type { BotLimits } from '../domain/permit.ts'
import { InterruptedError } from '../drive.ts'
import { createGathering } from '../gathering.ts'
import { createHeldWaits, type WaitLimits } from '../held-waits.ts'
import { createLanes } from '../lanes.ts'
import type { Claim, Leaving } from '../partitions.ts'
import { type Inheritance, type Place, runAlert, type Watching } from '../run-alert.ts'
import type { BotDirectory } from '../store/bot-directory.ts'
import { openEventLog, readStoredOutcomes, type StoredOutcomes } from '../store/event-log.ts'
import type { LastEntries } from '../store/last-entries.ts'
import type { ProgressStore } from '../store/progress-store.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { VenuePool } from '../venue/pool.ts'

/** How long an alert waits for the client of a bot that was only just linked, or whose venue cannot be reached. */
const clientWaitMs = 10_000
/** Finished alerts are deleted some at a time: nothing waits for it, and each write costs. */
const deleteTogetherMs = 20

export interface AlertConsumerOptions {
  bus: Bus
  pool: VenuePool
  directory: BotDirectory
  /** How surely the user's partition is ours. */
  holdOf: (userId: UserId) => Hold
  records: RecordStore
  progress: ProgressStore
  entries: LastEntries
  watching: Watching
  waitLimits: WaitLimits
  log: Log
}

/** Takes alerts in the order of their stream and runs them. */
export interface AlertConsumer {
  /** Messages of this partition come from now on. */
  enter: (partition: number) => void
  /** Takes one message of a partition; `claim` is set for what already lay there when the partition was claimed. */
  take: (message: StreamMessage, claim: Claim | undefined) => void
  /** How many alerts of a partition run. */
  loadOf: (partition: number) => number
  /** Ends in this partition after what is in flight; settles when that has ended or had its time. */
  leave: (partition: number, graceMs: number) => Promise<Leaving>
}

/** A consumer that runs every alert it takes once. */
export function createAlertConsumer(options: AlertConsumerOptions): AlertConsumer {
  const { bus, holdOf, log, records, progress, entries, watching } = options
  const lanes = createLanes()
  const served = new Map<number, ServedPartition>()
  const heldWaits = createHeldWaits(options.waitLimits)
  const othersToDelete = createGathering(deleteTogetherMs)
  const running = new Map<string, { partition: number; ended: Promise<void> }>()
  const inherit = createInheritances(bus, progress)
  const admit = createAdmission(options.pool)

  const run = async (taken: TakenAlert, inheritance: Inheritance | undefined): Promise<void> => {
    const { alert, sequence, takenAt, durableAt, stopping } = taken
    const hold = (): Hold => holdOf(alert.userId)
    const events = openEventLog(bus, hold)
    const places = alert.blocks.map((block) => placeOf(options, alert.userId, block))
    const limitsOf = (block: AlertBlock): BotLimits => ({
      ...limitsIn(options.directory, alert.userId, block),
      waitObjection: heldWaits.objectionTo(alert.userId, taken.characters),
    })
    const waits = {
      hold: (executionId: ExecutionId) => heldWaits.hold(executionId, alert.userId, taken.characters),
      release: heldWaits.release,
    }
    const work = {
      alert,
      takenAt,
      durableAt,
      inheritance,
      places,
      lanes,
      events,
      records,
      progress,
      entries,
      waits,
      watching,
      limitsOf,
      stopping,
      log,
    }
    try {
      const result = await runAlert(work)
      if (hold() === 'held') tell(bus, resultSubject(alert.alertId), JSON.stringify(result))
    } finally {
      await events.stored()
    }
    if (alert.blocks.some(({ commands }) => commands.some(({ type }) => type === 'wait'))) {
      await progress.forget(alert.userId, alert.alertId)
    }
    await othersToDelete()
    await deleteMessage(bus, 'ALERTS', sequence)
  }
  const track = (alert: AlertMessage, ended: Promise<void>, of: ServedPartition): void => {
    const partition = partitionOf(alert.userId)
    const settled = ended
      .catch((error: unknown) => {
        const isInterrupted = error instanceof InterruptedError
        if (!isInterrupted || error.isUndecided) of.isUndecided = true
        if (!isInterrupted) log.error({ err: error, alertId: alert.alertId }, 'alert left behind')
      })
      .finally(() => running.delete(alert.alertId))
    running.set(alert.alertId, { partition, ended: settled })
  }
  const runningIn = (partition: number): Promise<void>[] =>
    [...running.values()].flatMap((one) => (one.partition === partition ? [one.ended] : []))
  return {
    enter: (partition) => {
      served.set(partition, { stopping: new AbortController(), isUndecided: false })
    },
    take: (message, claim) => {
      const alert = readAlert(bus, message)
      const of = alert && served.get(partitionOf(alert.userId))
      if (alert === undefined || of === undefined) return
      if (of.stopping.signal.aborted || running.has(alert.alertId)) return
      const { sequence, storedAt: durableAt } = message
      const { length: characters } = message.text
      const taken = { alert, characters, sequence, durableAt, takenAt: now(), stopping: of.stopping.signal }
      const isNew = claim === undefined && alert.isFirst
      const prepare = isNew ? undefined : async () => await inherit(alert, claim)
      const ended = admit(alert, prepare, async (inheritance) => await run(taken, inheritance))
      track(alert, ended, of)
    },
    loadOf: (partition) => runningIn(partition).length,
    leave: async (partition, graceMs) => {
      const of = served.get(partition)
      of?.stopping.abort()
      const ended = Promise.all(runningIn(partition)).then(() => undefined)
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs).unref())])
      return { isSettled: of?.isUndecided !== true && runningIn(partition).length === 0, ended }
    },
  }
}

/** A partition whose alerts are taken. */
interface ServedPartition {
  stopping: AbortController
  /** Something had to be left in doubt. */
  isUndecided: boolean
}

interface TakenAlert {
  alert: AlertMessage
  /** How long its text is in the stream. */
  characters: number
  sequence: number
  durableAt: number
  takenAt: number
  stopping: AbortSignal
}

type Admit = (
  alert: AlertMessage,
  prepare: (() => Promise<Inheritance>) | undefined,
  start: (inheritance: Inheritance | undefined) => Promise<void>,
) => Promise<void>

/**
 * Starts an alert at once when every bot of it is warm and nothing has to be prepared; else it is prepared first, and
 * the user's later alerts start behind it: lanes are entered in the order of the stream.
 */
function createAdmission(pool: VenuePool): Admit {
  const lastOf = new Map<UserId, Promise<unknown>>()
  return async (alert, prepare, start) => {
    const { userId, blocks } = alert
    const ahead = lastOf.get(userId)
    const isWarm = blocks.every(({ botId }) => pool.client(botId) !== undefined)
    if (ahead === undefined && isWarm && prepare === undefined) return await start(undefined)
    const turn = (async () => {
      await ahead
      await Promise.all(blocks.map(async ({ botId }) => await pool.whenOpen(botId, clientWaitMs)))
      const inheritance = await prepare?.()
      return { ended: start(inheritance) }
    })()
    lastOf.set(
      userId,
      turn.catch(() => undefined),
    )
    const last = lastOf.get(userId)
    try {
      await (await turn).ended
    } finally {
      if (lastOf.get(userId) === last) lastOf.delete(userId)
    }
  }
}

/** What was stored of earlier attempts, read once per claim and user: a backlog is one read, not one per alert. */
function createInheritances(
  bus: Bus,
  progressStore: ProgressStore,
): (alert: AlertMessage, claim: Claim | undefined) => Promise<Inheritance> {
  const reads = new WeakMap<Claim, Map<UserId, Promise<StoredOutcomes>>>()
  return async (alert, claim) => {
    const { alertId, userId, receivedAt, blocks } = alert
    const mayWait = blocks.some(({ commands }) => commands.some(({ type }) => type === 'wait'))
    const progress = mayWait ? await progressStore.read(userId, alertId) : {}
    if (claim === undefined) {
      return { outcomes: await readStoredOutcomes(bus, userId, receivedAt), notAbsentBefore: now(), progress }
    }
    const ofClaim = reads.get(claim) ?? new Map<UserId, Promise<StoredOutcomes>>()
    reads.set(claim, ofClaim)
    // The stream is read in order, so the first alert of a user is the oldest one.
    const read = ofClaim.get(userId) ?? readStoredOutcomes(bus, userId, receivedAt)
    ofClaim.set(userId, read)
    return { outcomes: await read, notAbsentBefore: claim.notAbsentBefore, progress }
  }
}

/** A message that is no alert can never be run: it is reported and removed, so that it does not come again. */
function readAlert(bus: Bus, { text, sequence, subject }: StreamMessage): AlertMessage | undefined {
  try {
    return AlertMessage.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error, sequence, subject }, 'not an alert, removed')
    void deleteMessage(bus, 'ALERTS', sequence).catch(() => undefined)
    return undefined
  }
}

function placeOf(
  { directory, pool }: AlertConsumerOptions,
  userId: UserId,
  block: AlertBlock,
): Place | undefined {
  const bot = directory.bot(userId, block.botId)
  const client = pool.client(block.botId)
  return bot === undefined || client === undefined ? undefined : { bot, client }
}
