import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { limitConcurrency, limitConcurrencyOfEach } from '@tripline/kit/concurrency-limit'
import { RefusedError } from '@tripline/kit/refused-error'
import { elapsedMs } from '@tripline/proto/elapsed'
import {
  type Execution,
  getExecution,
  listExecutions,
  listUnfinished,
  sumExecutions,
  summarizeExecutions,
} from '@tripline/proto/history-request'
import { stagesOf } from '../domain/flight.ts'
import { countExecutions, findEvents, findExecution, findExecutions } from '../store/execution.ts'
import { countFailed, findBotFigures } from '../store/summary.ts'
import { sumOf } from '../store/sums.ts'
import type { Db } from '../store/tables.ts'
import { findUnfinished } from '../store/unfinished.ts'

// A reply on the bus is at most 1 MiB, and one execution can be large: 64 KiB of message and 50 results.
const largestReplyBytes = 700_000
// An execution has at most 50 commands, and a command a handful of events; a reply holds them all.
const mostEvents = 1000
const hourMs = 3_600_000
const sumLimits = { waiting: 4, refusal: 'Many sums are being made now, please try again in a moment' }

/** Serves requests about executions; returns an unsubscribe function. */
export function serveExecutions(bus: Bus, db: Db, clock: () => number): () => void {
  const stops = [
    serveList(bus, db),
    serveOne(bus, db),
    serveSummary(bus, db, clock),
    serveSums(bus, db),
    serve(bus, listUnfinished, async ({ after }) => ({ executions: await findUnfinished(db, after) })),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Sums read all that a filter chooses, so that few run at a time, of one user one after the other. */
function serveSums(bus: Bus, db: Db): () => void {
  const ofUser = limitConcurrencyOfEach({ ...sumLimits, atOnce: 1 })
  const ofAll = limitConcurrency({ ...sumLimits, atOnce: 2, waiting: 64 })
  return serve(
    bus,
    sumExecutions,
    async (filter) =>
      await ofUser(filter.userId)(
        async () =>
          await ofAll(async () => await inSnapshot(db, async (snapshot) => await sumOf(snapshot, filter))),
      ),
  )
}

function serveList(bus: Bus, db: Db): () => void {
  return serve(bus, listExecutions, async ({ offset, limit, before, sort, withTotal, ...filter }) => {
    const { found, total } = await inSnapshot(db, async (snapshot) => ({
      // One more than asked for shows whether there are others.
      found: await findExecutions(snapshot, filter, { offset, limit: limit + 1, before, sort }),
      total: withTotal ? await countExecutions(snapshot, filter) : null,
    }))
    const executions = withinReply(found.slice(0, limit))
    return { executions, total, hasMore: executions.length < found.length }
  })
}

function serveOne(bus: Bus, db: Db): () => void {
  return serve(bus, getExecution, async ({ userId, id }) => {
    const found = await findExecution(db, userId, id)
    if (found === undefined) throw new RefusedError('not_found', 'Execution not found')
    const { receivedAt, ...stored } = found
    const events = await findEvents(db, id, mostEvents)
    return {
      ...stored,
      stages: stagesOf(receivedAt, events),
      events: events.map((event) => ({ ...event, afterMs: elapsedMs(receivedAt, event.at) })),
    }
  })
}

function serveSummary(bus: Bus, db: Db, clock: () => number): () => void {
  return serve(bus, summarizeExecutions, async ({ userId, botIds }) => {
    const at = clock()
    return await inSnapshot(db, async (snapshot) => {
      const { lastAt, failed } = await countFailed(snapshot, userId, at - hourMs)
      const bots = await findBotFigures(snapshot, userId, botIds, at - 24 * hourMs)
      return { lastAt, failedLastHour: failed, bots }
    })
  })
}

/** Reads of one moment: what is counted is what is listed. */
async function inSnapshot<Found>(db: Db, read: (snapshot: Db) => Promise<Found>): Promise<Found> {
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await reading.execute(read)
}

/** As many of the executions, from the first on, as one reply can carry; the first in any case. */
function withinReply(executions: readonly Execution[]): Execution[] {
  let bytes = 0
  return executions.filter((execution, index) => {
    bytes += Buffer.byteLength(JSON.stringify(execution))
    return index === 0 || bytes <= largestReplyBytes
  })
}
