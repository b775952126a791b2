import { type Bus, deleteMessage } from '@tripline/kit/bus'
import { now } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import type { StreamMessage } from '@tripline/kit/stream-reader'
import { AlertMessage } from '@tripline/proto/alert'
import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { InterruptedError } from '../drive.ts'
import type { Inheritance } from '../inheritance.ts'
import type { Claim, Leaving } from '../sharing/state.ts'
import { readStoredStories, type StoredStories } from '../store/event-log.ts'
import { untilStored } from '../store/until-stored.ts'
import { type AlertRunnerOptions, createAlertRunner } from './alert-runner.ts'

/** How long an alert waits for the client of a bot that was only just linked, or whose venue cannot be reached. */
const clientWaitMs = 10_000
/** The same for one that an earlier owner may have begun: what is left of it is not dropped because a venue is slow. */
const heirWaitMs = 120_000

/** Takes alerts in the order of their stream and runs them. */
export interface AlertConsumer {
  /** Messages of this partition come from now on. */
  enter: (partition: number) => void
  /**
   * Takes one message of a partition; `claim` is set for what already lay there when the partition was claimed,
   * `isRestored` for what came back with a back-up.
   */
  take: (message: StreamMessage, claim: Claim | undefined, isRestored: boolean) => void
  /** How many alerts of a partition run. */
  loadOf: (partition: number) => number
  /** Ends in this partition after what is in flight; settles when that has ended or had its time. */
  leave: (partition: number, graceMs: number) => Promise<Leaving>
}

/** A consumer that runs every alert it takes once. */
export function createAlertConsumer(options: AlertRunnerOptions): AlertConsumer {
  const { bus, log } = options
  const served = new Map<number, ServedPartition>()
  const running = new Map<string, { partition: number; ended: Promise<void> }>()
  const run = createAlertRunner(options)
  const inherit = createInheritances(options)
  const admit = createAdmission(options)
  options.metrics.alertsRunning.follow(() => [[{}, running.size]])
  const runningIn = (partition: number): Promise<void>[] =>
    [...running.values()].flatMap((one) => (one.partition === partition ? [one.ended] : []))
  return {
    enter: (partition) => {
      const stopping = new AbortController()
      const stopped = new Promise<unknown>((resolve) => {
        stopping.signal.addEventListener('abort', resolve, { once: true })
      })
      served.set(partition, { stopping, stopped, isUndecided: false })
    },
    take: (message, claim, isRestored) => {
      const alert = readAlert(bus, message)
      const of = alert && served.get(partitionOf(alert.userId))
      if (alert === undefined || of === undefined) return
      if (of.stopping.signal.aborted || running.has(alert.alertId)) return
      const { sequence, storedAt: durableAt, traceparent } = message
      const { length: characters } = message.text
      const at = { sequence, durableAt, takenAt: now() }
      const taken = { alert, characters, ...at, traceparent, stopping: of.stopping.signal }
      const isNew = claim === undefined && alert.isFirst
      const prepare = isNew ? undefined : async () => await inherit(alert, claim, isRestored)
      const openBy = taken.takenAt + (isNew ? clientWaitMs : heirWaitMs)
      const ended = admit({ alert, prepare, openBy, stopped: of.stopped }, async (inheritance) => {
        if (taken.stopping.aborted) throw new InterruptedError(inheritance)
        await run(taken, inheritance)
      })
      const settled = ended.catch((error: unknown) => noteFailure(error, alert, of, log))
      const partition = partitionOf(alert.userId)
      const left = settled.finally(() => running.delete(alert.alertId))
      running.set(alert.alertId, { partition, ended: left })
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

/** An alert that did not come to its end stays in the stream; one that had to be left in doubt is its partition's too. */
function noteFailure(error: unknown, { alertId }: AlertMessage, of: ServedPartition, log: Log): void {
  const isInterrupted = error instanceof InterruptedError
  if (!isInterrupted || error.isUndecided) of.isUndecided = true
  if (!isInterrupted) log.error({ err: error, alertId }, 'alert left behind')
}

/** A partition whose alerts are taken. */
interface ServedPartition {
  stopping: AbortController
  /** Settles once it is stopping. */
  stopped: Promise<unknown>
  /** Something had to be left in doubt. */
  isUndecided: boolean
}

interface Entry {
  alert: AlertMessage
  prepare: (() => Promise<Inheritance>) | undefined
  /** Until when its bots may take to be warm. */
  openBy: number
  /** Settles when nothing is begun any more. */
  stopped: Promise<unknown>
}

type Admit = (entry: Entry, start: (inheritance: Inheritance | undefined) => Promise<void>) => Promise<void>

/**
 * Starts an alert at once when every bot of it is warm and nothing has to be prepared; else it is prepared first, and
 * the user's later alerts at the same venues start behind it: lanes are entered in the order of the stream.
 */
function createAdmission({ pool, directory }: Pick<AlertRunnerOptions, 'pool' | 'directory'>): Admit {
  const lastAt = new Map<string, Promise<unknown>>()
  // Bots of one account, which share its lanes, trade on one market of one network.
  const venueOf = (userId: UserId, botId: BotId): string => {
    const bot = directory.bot(userId, botId)
    return `${userId} ${bot === undefined ? botId : `${bot.exchange} ${bot.marketType} ${bot.isTestnet}`}`
  }
  return async ({ alert: { userId, blocks }, prepare, openBy, stopped }, start) => {
    const isWarm = blocks.every(({ botId }) => pool.client(botId) !== undefined)
    if (lastAt.size === 0 && isWarm && prepare === undefined) return await start(undefined)
    const venues = new Set(blocks.map(({ botId }) => venueOf(userId, botId)))
    const ahead = [...venues].flatMap((venue) => lastAt.get(venue) ?? [])
    if (ahead.length === 0 && isWarm && prepare === undefined) return await start(undefined)
    for (const { botId } of blocks) pool.hurry(botId)
    const turn = (async () => {
      await Promise.all(ahead)
      const leftMs = Math.max(0, openBy - now())
      const open = blocks.map(async ({ botId }) => await pool.whenOpen(botId, leftMs))
      await Promise.race([Promise.all(open), stopped])
      const inheritance = await prepare?.()
      return { ended: start(inheritance) }
    })()
    const last = turn.catch(() => undefined)
    for (const venue of venues) lastAt.set(venue, last)
    try {
      await (await turn).ended
    } finally {
      for (const venue of venues) if (lastAt.get(venue) === last) lastAt.delete(venue)
    }
  }
}

type Inherit = (alert: AlertMessage, claim: Claim | undefined, isRestored: boolean) => Promise<Inheritance>

/** The stories of a user since a moment. */
interface StoriesRead {
  since: number
  stories: Promise<StoredStories>
}

/** What was stored of earlier attempts, read once per claim and user: a backlog is one read, not one per alert. */
function createInheritances({ bus, holdOf, progress: progressStore }: AlertRunnerOptions): Inherit {
  const reads = new WeakMap<Claim, Map<UserId, StoriesRead>>()
  // A takeover reads for many users at once, which the bus may refuse for a moment.
  const readStories = async (userId: UserId, since: number): Promise<StoredStories> => {
    const read = async (): Promise<StoredStories> => await readStoredStories(bus, userId, since)
    return await untilStored(bus, () => holdOf(userId), read, `stories of ${userId}`)
  }
  return async (alert, claim, isRestored) => {
    const { alertId, userId, receivedAt, blocks } = alert
    const mayWait = blocks.some(({ commands }) => commands.some(({ type }) => type === 'wait'))
    const progress = mayWait ? await progressStore.read(userId, alertId) : {}
    if (claim === undefined) {
      const stories = await readStories(userId, receivedAt)
      return { stories, notAbsentBefore: now(), progress, isRestored }
    }
    const ofClaim = reads.get(claim) ?? new Map<UserId, StoriesRead>()
    reads.set(claim, ofClaim)
    // The first alert of a user in the stream is the oldest one, unless one behind it was sent again much later.
    const known = ofClaim.get(userId)
    const read =
      known !== undefined && known.since <= receivedAt
        ? known
        : { since: receivedAt, stories: readStories(userId, receivedAt) }
    ofClaim.set(userId, read)
    const notAbsentBefore = claim.notAbsentBefore ?? (isRestored ? now() : undefined)
    return { stories: await read.stories, notAbsentBefore, progress, isRestored }
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
