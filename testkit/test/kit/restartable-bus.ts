import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { startOwnNats } from '../../infra/nats.ts'
import { temporaryFolder } from '../../infra/temporary-folder.ts'
import { testLog } from '../../log.ts'

/** A bus whose server can be stopped and started again at the same address, with what it stored. */
export interface RestartableBus {
  connect: () => Promise<Bus>
  halt: () => Promise<void>
  resume: () => Promise<void>
  stop: () => Promise<void>
}

/** A server of one's own, with every stream and bucket and without users. */
export async function restartableBus(): Promise<RestartableBus> {
  const { folder, remove } = await temporaryFolder()
  const server = await startOwnNats({ dataDir: folder })
  const open: Bus[] = []
  const connect = async (): Promise<Bus> => {
    const bus = await connectBus({
      url: server.url,
      user: 'executor',
      log: testLog('bus'),
      patienceMs: 10_000,
    })
    open.push(bus)
    return bus
  }
  await ensureStreams(await connect(), { replicas: 1 })
  return {
    connect,
    halt: async () => await server.stop(),
    resume: async () => await server.start(),
    stop: async () => {
      await Promise.all(open.map(async (bus) => await bus.close()))
      await server.stop()
      await remove()
    },
  }
}
