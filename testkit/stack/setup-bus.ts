import { connectBus } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { untilAnswered } from '@tripline/kit/bus/until-answered'
import { createLog } from '@tripline/kit/telemetry/log'
import { buckets, streams } from '@tripline/proto/subject'
import { z } from 'zod'

/** The settings of how the bus stores: the copies of each stream, and the rooms of those that grow with use. */
export const StoreSettings = {
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  ALERTS_MAX_BYTES: z.coerce.number().int().positive().default(streams.ALERTS.maxBytes),
  EVENTS_MAX_BYTES: z.coerce.number().int().positive().default(streams.EVENTS.maxBytes),
  IDS_MAX_BYTES: z.coerce.number().int().positive().default(buckets.ids.maxBytes),
}
type Stores = z.infer<z.ZodObject<typeof StoreSettings>>

interface BusSetup {
  url: string
  seed: string
  stores: Stores
}

/** Creates every stream and bucket, or brings them to their present settings, as the user `ops`. */
export async function setupBus({ url, seed, stores }: BusSetup): Promise<void> {
  const bus = await connectBus({ url, user: 'ops', seed, log: createLog('setup', 'warn') })
  try {
    const maxBytes = {
      ALERTS: stores.ALERTS_MAX_BYTES,
      EVENTS: stores.EVENTS_MAX_BYTES,
      ids: stores.IDS_MAX_BYTES,
    }
    await untilAnswered(async () => await ensureStreams(bus, { replicas: stores.NATS_REPLICAS, maxBytes }))
  } finally {
    await bus.close()
  }
}
