import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, connectBus, streamExtent } from '@tripline/kit/bus/bus'
import type { BatchMessage } from '@tripline/kit/bus/durable-consumer'
import { readPart } from '@tripline/kit/bus/stored-messages'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { openDatabase } from '@tripline/kit/postgres'
import type { Log } from '@tripline/kit/telemetry/log'
import { Moment } from '@tripline/proto/alert'
import { partsIn } from '@tripline/proto/event'
import { z } from 'zod'
import type { Config } from './config.ts'
import { createTakeEvents } from './consumers/event.ts'
import { deleteExecutions, deleteExecutionsSince, findIdsSince } from './store/retention.ts'
import { forgetSetAside } from './store/set-aside.ts'
import type { Db, Tables } from './store/tables.ts'

const stream = 'EVENTS'
/** Sequences that are read at a time. */
const readTogether = 200
const againMs = 500

/**
 * Makes every row anew of which the stream holds all events, and leaves older rows as they are. The service may run
 * meanwhile; until the end its lists lack what is not read again yet. Refuses, and changes nothing, where the stream
 * lacks what it should hold, as it does after a restore; forced, it drops those rows.
 */
export async function rebuildHistory(config: Config, log: Log, isForced: boolean): Promise<void> {
  const bus = await connectBus({ url: config.NATS_URL, user: 'history', seed: config.NATS_NKEY_SEED, log })
  const db = openDatabase<Tables>(config.DATABASE_URL, 'history', log)
  try {
    await rebuild(bus, db, log, isForced)
  } finally {
    await bus.close()
    await db.destroy()
  }
}

async function rebuild(bus: Bus, db: Db, log: Log, isForced: boolean): Promise<void> {
  const extent = await streamExtent(bus, stream)
  if (extent === undefined) return log.info('the stream is empty, nothing to read again')
  const { first, last, firstAt } = extent
  if (!isForced) await refuseToLose(bus, db, extent)
  // An event is published after its alert was received: alerts that were received since the first one have all of their
  // events here.
  const deleted = await deleteExecutionsSince(db, firstAt)
  await forgetSetAside(db, first)
  log.info({ deleted, first, last }, 'reading the stream again')
  const deleteBegun = deleteOnce(db, firstAt)
  const takeEvents = createTakeEvents({ db, log })
  await readEach(bus, first, last, async (batch) => {
    await deleteBegun(batch)
    await insist(log, async () => await takeEvents(batch))
  })
  log.info({ messages: last - first + 1 }, 'history is made anew')
}

/** Tries again for as long as the database fails. */
async function insist(log: Log, act: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      log.warn({ err: error }, 'batch not taken, trying again')
      await sleep(againMs)
    }
  }
}

interface Extent {
  first: number
  last: number
  firstAt: number
}

async function refuseToLose(bus: Bus, db: Db, { first, firstAt }: Extent): Promise<void> {
  const ids = await findIdsSince(db, firstAt)
  const missing = new Set(ids)
  // Ids of rows are read before the stream, which has the events of all of them by then.
  await readEach(bus, first, await lastSequence(bus, stream), async (batch) => {
    for (const reference of readAs(ExecutionReference, batch)) missing.delete(rowKeyOf(reference))
  })
  if (missing.size === 0) return
  throw new Error(
    `Nothing was changed: of ${ids.length} executions since the stream begins, ${missing.size} are not in it ` +
      `(${[...missing].slice(0, 3).join(', ')}). They would be lost; --force does it all the same.`,
  )
}

/** Reads a part of the stream in batches, keeping none of it. */
async function readEach(
  bus: Bus,
  from: number,
  last: number,
  onBatch: (batch: BatchMessage[]) => Promise<void>,
): Promise<void> {
  for (let first = from; first <= last; first += readTogether) {
    const upTo = Math.min(first + readTogether - 1, last)
    const batch = await readPart(bus, { stream, filter: 'event.*.*', first, last: upTo })
    if (batch.length > 0) await onBatch(batch)
  }
}

/** The subject of every event: an execution, or an alert that was refused. */
const ExecutionReference = z.object({ alertId: z.string(), executionId: z.string().optional() })

/** The beginning of a row: the first event of its execution, or the only one of an alert that was refused. */
const Beginning = ExecutionReference.extend({
  kind: z.enum(['execution.received', 'alert.refused']),
  receivedAt: Moment,
  /** An alert that came again began before. */
  resentAs: z.undefined().optional(),
})

/** Deletes, once each, the rows that were received before a moment and yet begin in a batch: all of their events follow. */
function deleteOnce(db: Db, moment: number): (batch: readonly BatchMessage[]) => Promise<void> {
  const deleted = new Set<string>()
  return async (batch) => {
    const begun = readAs(Beginning, batch)
      .filter(({ receivedAt }) => receivedAt < moment)
      .map(rowKeyOf)
      .filter((id) => !deleted.has(id))
    if (begun.length === 0) return
    await deleteExecutions(db, begun)
    for (const id of begun) deleted.add(id)
  }
}

function rowKeyOf({ executionId, alertId }: z.infer<typeof ExecutionReference>): string {
  return executionId ?? alertId
}

/** Returns the events of a batch that fit a schema. */
function readAs<Value>(schema: z.ZodType<Value>, batch: readonly BatchMessage[]): Value[] {
  return batch.flatMap(({ text }) => partsIn(text)).flatMap((part) => schema.safeParse(part).data ?? [])
}
