import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { createLog } from '@tripline/kit/telemetry/log'
import type { Closers } from '@tripline/testkit/closers'
import { localKeys } from '@tripline/testkit/stack/local-keys'

/** The bus of the product in a data folder as its operator, who may read and write everything. */
export async function operatorBus(dataDir: string, natsUrl: string, closers: Closers): Promise<Bus> {
  const seed = localKeys(dataDir).busSeeds.ops
  const bus = await connectBus({ url: natsUrl, user: 'ops', seed, log: createLog('bench', 'warn') })
  await closers.add(bus.close)
  return bus
}
