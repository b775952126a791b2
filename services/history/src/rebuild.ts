import { type Bus, connectBus, streamExtent } from '@tripline/kit/bus'
import { type BatchMessage, consumeDurably, removeDurable } from '@tripline/kit/durable-consumer'
import type { Log } from '@tripline/kit/log'
import { openDatabase } from '@tripline/kit/postgres'
import { Moment } from '@tripline/proto/alert'
import { z } from 'zod'
import type { Config } from './config.ts'
import { takeEvents } from './consumers/event.ts'
import { deleteExecutions, deleteExecutionsSince } from './store/retention.ts'
import type { Db, Tables } from './store/tables.ts'

const stream = 'EVENTS'
const durable = 'history-rebuild'

/**
 * Makes every row anew of which the stream holds all events, and leaves older rows as they are. The service may run
 * meanwhile; until the end its lists lack what is not read again yet.
 */
export async function rebuildHistory(config: Config, log: Log): Promise<void> {
  const bus = await connectBus({ url: config.NATS_URL, user: 'history', seed: config.NATS_NKEY_SEED, log })
  const db = openDatabase<Tables>(config.DATABASE_URL, 'history', log)
  try {
    await rebuild(bus, db, log)
  } finally {
    await bus.close()
    await db.destroy()
  }
}

async function rebuild(bus: Bus, db: Db, log: Log): Promise<void> {
  const extent = await streamExtent(bus, stream)
  if (extent === undefined) return log.info('the stream is empty, nothing to read again')
  const { first, last, firstAt } = extent
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

/** How a row begins: with the first event of its execution, or with the only one of an alert that was refused. */
const Beginning = z.object({
  kind: z.enum(['execution.received', 'alert.refused']),
  receivedAt: Moment,
  alertId: z.string(),
  executionId: z.string().optional(),
})

/** Deletes, once each, the rows that were received before a moment and yet begin in a batch: all of their events follow. */
function deleteOnce(db: Db, moment: number): (batch: readonly BatchMessage[]) => Promise<void> {
  const deleted = new Set<string>()
  return async (batch) => {
    const begun = batch
      .flatMap(({ text }) => beginningIn(text) ?? [])
      .filter(({ receivedAt }) => receivedAt < moment)
      .map(({ executionId, alertId }) => executionId ?? alertId)
      .filter((id) => !deleted.has(id))
    if (begun.length === 0) return
    await deleteExecutions(db, begun)
    for (const id of begun) deleted.add(id)
  }
}

function beginningIn(text: string): z.infer<typeof Beginning> | undefined {
  try {
    return Beginning.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
