import { type Bus, connectBus, streamExtent } from '@tripline/kit/bus'
import { consumeDurably, removeDurable } from '@tripline/kit/durable-consumer'
import type { Log } from '@tripline/kit/log'
import { openDatabase } from '@tripline/kit/postgres'
import type { Config } from './config.ts'
import { takeEvents } from './consumers/event.ts'
import { deleteExecutionsSince } from './store/retention.ts'
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
  const { promise: caughtUp, resolve } = Promise.withResolvers<void>()
  const stop = await consumeDurably(bus, {
    stream,
    durable,
    onBatch: async (batch) => {
      await takeEvents(db, log, batch)
      if (batch.some(({ sequence }) => sequence >= last)) resolve()
    },
  })
  await caughtUp
  await stop()
  await removeDurable(bus, stream, durable)
  log.info({ events: last - first + 1 }, 'history is made anew')
}
