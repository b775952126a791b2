import { type Bus, deleteRead, publish, type ReadMessage } from '@tripline/kit/bus/bus'
import type { Log } from '@tripline/kit/telemetry/log'
import type { AlertBlock } from '@tripline/proto/alert'
import type { ExecutionId, UserId } from '@tripline/proto/id'
import { resultSubject } from '@tripline/proto/subject'
import { closeOnlyLimits } from '../domain/account/close-only.ts'
import type { BotLimits } from '../domain/account/permit.ts'
import type { Hold, NumberedTenure } from '../domain/sharing/lease.ts'
import { createLanes } from '../lanes/lanes.ts'
import type { ExecutorMetrics } from '../metrics.ts'
import type { AlertRun, BlockTarget } from '../run/alert-run.ts'
import type { PriorAttempt } from '../run/prior-attempt.ts'
import { runAlert } from '../run/run-alert.ts'
import type { RunMeters } from '../run/run-meter.ts'
import { createSleepingBlocks, type SleepingBlocks, type WaitLimits } from '../run/sleeping-blocks.ts'
import { traceAlert } from '../run/trace-alert.ts'
import type { BotDirectory } from '../store/bot-directory.ts'
import type { EntryStore } from '../store/entry-store.ts'
import { openEventLog } from '../store/event-log.ts'
import type { ProgressStore } from '../store/progress-store.ts'
import type { RecordStore } from '../store/record-store.ts'
import { always, untilStored } from '../store/until-stored.ts'
import type { VenuePool } from '../venue/pool.ts'
import type { Watching } from '../watching/market-watches.ts'
import type { Watches } from '../watching/watches.ts'
import { limitsIn } from './bot-limits.ts'
import { createGathering } from './gathering.ts'

/** Finished alerts are deleted some at a time: nothing waits for it, and each write costs. */
const deleteTogetherMs = 100

export interface AlertRunnerOptions {
  bus: Bus
  pool: VenuePool
  directory: BotDirectory
  /** Certainty that the user's partition is ours. */
  holdOf: (userId: UserId) => Hold
  /** Since when that is held; undefined while it is not. */
  tenureOf: (userId: UserId) => NumberedTenure | undefined
  /** Settles once a successor knows that alerts of the user may have been begun out of the order of their lanes. */
  breakOrder: (userId: UserId, overtaken?: readonly string[]) => Promise<void>
  /** Forgets that an exit overtook the execution. */
  forgetOvertaken: (userId: UserId, executionId: string) => void
  records: RecordStore
  progress: ProgressStore
  entries: EntryStore
  watching: Watching & Pick<Watches, 'countOf'>
  waitLimits: WaitLimits
  /** Number of one user's watched resting orders and groups from which no further entry may rest. */
  maxResting: number
  meters: RunMeters
  metrics: ExecutorMetrics
  log: Log
}

/** An alert that was taken from its stream. */
export interface TakenAlert
  extends Pick<AlertRun, 'alert' | 'takenAt' | 'durableAt' | 'stopping' | 'onLeftOut'> {
  /** Its text's length in the stream. */
  characters: number
  /** Its message, as it was read. */
  read: ReadMessage
  /** From where it goes on, where it is traced. */
  traceparent: string | undefined
  /** Called when a block of it begins to sleep, and when it goes on or ends. */
  onSleep: (executionId: ExecutionId, sleeps: boolean) => void
  /** Called when all of it is done and stored: only its deletion is left. */
  onDone: () => void
}

/** Runs alerts: publishes their result, and takes them out of the stream once every event of them is stored. */
export function createAlertRunner(
  options: AlertRunnerOptions,
): (taken: TakenAlert, priorAttempt: PriorAttempt | undefined) => Promise<void> {
  const { bus, holdOf, entries, progress, metrics } = options
  const lanes = createLanes((ms) => metrics.laneWaits.observe({}, ms / 1000))
  metrics.lanesWaiting.follow(() => [[{}, lanes.waiting()]])
  const sleepingBlocks = createSleepingBlocks(options.waitLimits)
  const othersToDelete = createGathering(deleteTogetherMs)
  return async (taken, priorAttempt) => {
    const { alert, read } = taken
    const { userId, alertId, blocks } = alert
    const trace = traceAlert(bus.tracing, taken, priorAttempt !== undefined)
    const eventLog = openEventLog(bus, {
      hold: () => holdOf(userId),
      emittedBefore: priorAttempt?.priorEvents.eventIds ?? new Set(),
      traceparentOf: trace?.traceparentOf,
    })
    const events = trace?.over(eventLog) ?? eventLog
    const found = blocks.map((block) => placeOf(options, userId, block))
    const targets = trace?.within(found) ?? found
    const run: AlertRun = {
      ...{ ...options, ...taken, priorAttempt, targets, lanes, events },
      tenure: () => options.tenureOf(userId),
      breakOrder: async (overtaken) => await options.breakOrder(userId, overtaken),
      forgetOvertaken: (executionId) => options.forgetOvertaken(userId, executionId),
      ...limitsFor(taken, options, sleepingBlocks),
    }
    try {
      const result = await runAlert(run)
      // Nothing at the venue shows a refusal to a successor: it is stored before it is reported, so that it stays true.
      if (result.outcome === 'refused' || result.status !== 'success') await events.stored()
      const publishResult = async (): Promise<void> =>
        publish(bus, resultSubject(alertId), JSON.stringify(result))
      await untilStored(bus, () => reachingHold(options, userId), publishResult, `result of ${alertId}`)
      trace?.end(result.outcome === 'executed' ? result.status : result.outcome)
    } finally {
      trace?.end('interrupted')
      // Handed over in one turn, with the result: each write of its own would cost more than what is in it.
      await Promise.all([events.stored(), entries.stored(userId)])
    }
    const mayWait = blocks.some(({ commands }) => commands.some(({ type }) => type === 'wait'))
    taken.onDone()
    if (mayWait) await progress.forget(userId, alertId)
    await othersToDelete()
    const deleteAlert = async (): Promise<void> => await deleteRead(bus, 'ALERTS', read)
    await untilStored(bus, always, deleteAlert, `end of ${alertId}`)
  }
}

/** The hold on the user, sure only while the bus is there too: what is published without it is lost. */
function reachingHold({ bus, holdOf }: AlertRunnerOptions, userId: UserId): Hold {
  const hold = holdOf(userId)
  return hold === 'held' && !bus.isConnected() ? 'unsure' : hold
}

/** Returns the limits of an alert's bots, the waiting of its blocks included. */
function limitsFor(
  { alert: { userId, isCloseOnly }, characters, onSleep }: TakenAlert,
  { directory, watching, maxResting }: AlertRunnerOptions,
  sleepingBlocks: SleepingBlocks,
): Pick<AlertRun, 'limitsOf' | 'waits'> {
  return {
    limitsOf: (block) => {
      const limits = limitsIn(directory, userId, block)
      return {
        ...(isCloseOnly === true ? closeOnlyLimits(limits) : limits),
        waitObjection: sleepingBlocks.objectionTo(userId, characters),
        resting: restingOf(watching.countOf(userId), maxResting),
      }
    },
    waits: {
      hold: (executionId) => {
        sleepingBlocks.hold(executionId, userId, characters)
        onSleep(executionId, true)
      },
      release: (executionId) => {
        sleepingBlocks.release(executionId)
        onSleep(executionId, false)
      },
    },
  }
}

/** Exits have as much room again as all orders have. */
function restingOf(count: number, most: number): BotLimits['resting'] {
  if (count < most) return undefined
  return count < 2 * most ? 'many' : 'tooMany'
}

function placeOf(
  { directory, pool }: AlertRunnerOptions,
  userId: UserId,
  block: AlertBlock,
): BlockTarget | undefined {
  const bot = directory.bot(userId, block.botId)
  if (bot === undefined) return undefined
  return { bot, client: pool.client(block.botId), problem: pool.problemOf(block.botId) }
}
