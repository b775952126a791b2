import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { createLog } from '@tripline/kit/telemetry/log'
import type { BusUser } from '@tripline/proto/permission'
import { startOwnNats } from '../infra/nats.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { localKeys } from '../stack/local-keys.ts'
import { writeNatsConfig } from '../stack/setup.ts'

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
let nats: Awaited<ReturnType<typeof startOwnNats>>
beforeAll(async () => {
  scratch = await temporaryFolder()
  nats = await startOwnNats({ dataDir: scratch.folder, configFile: writeNatsConfig(scratch.folder) })
}, 120_000)
afterAll(async () => {
  await nats.stop()
  await scratch.remove()
})

async function connect(user: BusUser, seed: string): Promise<Bus> {
  return await connectBus({ url: nats.url, user, seed, log: createLog(user, 'fatal') })
}

test('the seed of a bus user is replaced: the old one is refused, the others stay', async () => {
  const before = localKeys(scratch.folder)
  await (await connect('gateway', before.busSeeds.gateway)).close()
  rmSync(before.busSeedFile('gateway'))
  const after = localKeys(scratch.folder)
  expect(after.busSeeds.gateway).not.toBe(before.busSeeds.gateway)
  expect(after.busSeeds.history).toBe(before.busSeeds.history)
  writeNatsConfig(scratch.folder)
  await nats.stop()
  await nats.start()
  await expect(connect('gateway', before.busSeeds.gateway)).rejects.toThrow()
  await (await connect('gateway', after.busSeeds.gateway)).close()
  await (await connect('history', after.busSeeds.history)).close()
}, 120_000)
