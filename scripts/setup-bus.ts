import { connectBus } from '@tripline/kit/bus'
import { createLog } from '@tripline/kit/log'
import { ensureStreams } from '@tripline/kit/streams'

interface BusSetup {
  url: string
  seed: string
  replicas: number
}

/** Creates every stream and bucket, or brings them to their present settings, as the user `ops`. */
export async function setupBus({ url, seed, replicas }: BusSetup): Promise<void> {
  const bus = await connectBus({ url, user: 'ops', seed, log: createLog('setup', 'warn') })
  try {
    await ensureStreams(bus, { replicas })
  } finally {
    await bus.close()
  }
}
