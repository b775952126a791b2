import { type Bus, connectBus, streamExtent } from '@tripline/kit/bus'
import { type BatchMessage, consumeDurably, removeDurable } from '@tripline/kit/durable-consumer'
import type { Log } from '@tripline/kit/log'
import { openDatabase } from '@tripline/kit/postgres'
import { readStream, type StreamMessage } from '@tripline/kit/stream-reader'
import { Moment } from '@tripline/proto/alert'
import { z } from 'zod'
import type { Config } from './config.ts'
import { takeEvents } from './consumers/event.ts'
import { deleteExecutions, deleteExecutionsSince, findIdsSince } from './store/retention.ts'
import type { Db, Tables } from './store/tables.ts'

const stream = 'EVENTS'
const durable = 'history-rebuild'

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
  if (!isForced) await refuseToLose(bus, db, firstAt)
  // An event is told after its alert was received: what was received since the first one has all of its events here.
  const deleted = await deleteExecutionsSince(db, firstAt)
  log.info({ deleted, first, last }, 'reading the stream again')
  await removeDurable(bus, stream, durable)
  const deleteBegun = deleteOnce(db, firstAt)
  const { promise: caughtUp, resolve } = Promise.withResolvers<void>()
  const stop = await consumeDurably(bus, {
    stream,
    durable,
    onBatch: async (batch) => {
      await deleteBegun(batch)
      await takeEvents(db, log, batch)
      if (batch.some(({ sequence }) => sequence >= last)) resolve()
    },
  })
  await caughtUp
  await stop()
  await removeDurable(bus, stream, durable)
  log.info({ events: last - first + 1 }, 'history is made anew')
}

async function refuseToLose(bus: Bus, db: Db, firstAt: number): Promise<void> {
  const ids = await findIdsSince(db, firstAt)
  const missing = new Set(ids)
  // Ids of rows are read before the stream, which has the events of all of them by then.
  await readEach(bus, ({ text }) => {
    const told = readAs(Told, text)
    if (told !== undefined) missing.delete(rowOf(told))
  })
  if (missing.size === 0) return
  throw new Error(
    `Nothing was changed: of ${ids.length} executions since the stream begins, ${missing.size} are not in it ` +
      `(${[...missing].slice(0, 3).join(', ')}). They would be lost; --force does it all the same.`,
  )
}

/** Reads all that lies in the stream now, keeping none of it. */
async function readEach(bus: Bus, onMessage: (message: StreamMessage) => void): Promise<void> {
  const caughtUp = Promise.withResolvers<void>()
  const reader = await readStream(bus, {
    stream,
    filter: 'event.*.*',
    start: { from: 'sequence', sequence: 1 },
    isOnce: true,
    onMessage,
    onCaughtUp: caughtUp.resolve,
  })
  await caughtUp.promise
  reader.stop()
}

/** What every event tells of: an execution, or an alert that was refused. */
const Told = z.object({ alertId: z.string(), executionId: z.string().optional() })

/** How a row begins: with the first event of its execution, or with the only one of an alert that was refused. */
const Beginning = Told.extend({
  kind: z.enum(['execution.received', 'alert.refused']),
  receivedAt: Moment,
})

/** Deletes, once each, the rows that were received before a moment and yet begin in a batch: all of their events follow. */
function deleteOnce(db: Db, moment: number): (batch: readonly BatchMessage[]) => Promise<void> {
  const deleted = new Set<string>()
  return async (batch) => {
    const begun = batch
      .flatMap(({ text }) => readAs(Beginning, text) ?? [])
      .filter(({ receivedAt }) => receivedAt < moment)
      .map(rowOf)
      .filter((id) => !deleted.has(id))
    if (begun.length === 0) return
    await deleteExecutions(db, begun)
    for (const id of begun) deleted.add(id)
  }
}

function rowOf({ executionId, alertId }: z.infer<typeof Told>): string {
  return executionId ?? alertId
}

function readAs<Value>(schema: z.ZodType<Value>, text: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
