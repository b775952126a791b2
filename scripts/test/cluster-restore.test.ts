import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Bus, store } from '@tripline/kit/bus/bus'
import { type Closers, closers as newClosers } from '@tripline/testkit/closers'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { nats } from '@tripline/testkit/nats'
import { natsCluster } from '@tripline/testkit/nats-cluster'
import { readRestoredMark } from '../../services/executor/src/store/restored-mark.ts'
import { backUpBus, restoreBus } from '../ops/bus-back-up.ts'

let closers: Closers
beforeEach(() => {
  closers = newClosers()
})
afterEach(async () => await closers.close())

const saved = ['ALERTS', 'EVENTS', 'KV_progress', 'KV_watches']

async function copies(ops: Bus): Promise<number[]> {
  const infos = await Promise.all(saved.map(async (name) => await ops.manager.streams.info(name)))
  return infos.map(({ config }) => config.num_replicas)
}

async function opsOn(starting: typeof nats): Promise<Bus> {
  const bus = await starting()
  await closers.add(bus.stop)
  return await bus.connect('ops')
}

test('a back-up has as many copies where it is restored as set-up has made there', async () => {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  const [one, three] = await Promise.all([opsOn(nats), opsOn(natsCluster)])
  await store(one, 'alert.1.user', '{}', { messageId: 'alert', attemptMs: 2000, deadlineMs: 30_000 })
  await backUpBus(one, path.join(folder, 'of-one'), Date.now())
  expect(await copies(three)).toEqual([3, 3, 3, 3])
  await restoreBus(three, path.join(folder, 'of-one'))
  expect(await copies(three)).toEqual([3, 3, 3, 3])
  expect((await three.manager.streams.info('ALERTS')).state.messages).toBe(1)
  expect(await readRestoredMark(three)).toMatchObject({ sequence: 1 })
}, 180_000)
