import { connectBus } from '@tripline/kit/bus'
import { createLog } from '@tripline/kit/log'
import { ensureStreams } from '@tripline/kit/streams'
import { untilAnswered } from '@tripline/kit/until-answered'
import { buckets, streams } from '@tripline/proto/subject'
import { z } from 'zod'

/** The settings of how much the bus may store: of the streams that grow with use. */
export const RoomSettings = {
  ALERTS_MAX_BYTES: z.coerce.number().int().positive().default(streams.ALERTS.maxBytes),
  EVENTS_MAX_BYTES: z.coerce.number().int().positive().default(streams.EVENTS.maxBytes),
  IDS_MAX_BYTES: z.coerce.number().int().positive().default(buckets.ids.maxBytes),
}
type Rooms = z.infer<z.ZodObject<typeof RoomSettings>>

interface BusSetup {
  url: string
  seed: string
  replicas: number
  rooms: Rooms
}

/** Creates every stream and bucket, or brings them to their present settings, as the user `ops`. */
export async function setupBus({ url, seed, replicas, rooms }: BusSetup): Promise<void> {
  const bus = await connectBus({ url, user: 'ops', seed, log: createLog('setup', 'warn') })
  try {
    const maxBytes = {
      ALERTS: rooms.ALERTS_MAX_BYTES,
      EVENTS: rooms.EVENTS_MAX_BYTES,
      ids: rooms.IDS_MAX_BYTES,
    }
    await untilAnswered(async () => await ensureStreams(bus, { replicas, maxBytes }))
  } finally {
    await bus.close()
  }
}
