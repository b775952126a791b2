import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Bus } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { buckets, streams } from '@tripline/proto/subject'
import type { TestNats } from '../../nats.ts'
import { natsCluster } from '../../nats-cluster.ts'

const names = [...Object.keys(streams), ...Object.keys(buckets).map((bucket) => `KV_${bucket}`)]

let cluster: TestNats
let ops: Bus

beforeAll(async () => {
  cluster = await natsCluster()
  ops = await cluster.connect('ops')
})
afterAll(async () => await cluster.stop())

async function copies(): Promise<Record<string, number>> {
  const infos = await Promise.all(names.map(async (name) => await ops.manager.streams.info(name)))
  return Object.fromEntries(infos.map(({ config }) => [config.name, config.num_replicas]))
}

test('every stream and bucket has as many copies as a set-up asks for, also one that had fewer', async () => {
  const three = Object.fromEntries(names.map((name) => [name, 3]))
  expect(await copies()).toEqual(three)
  for (const name of ['EVENTS', 'KV_progress', 'KV_members'])
    await ops.manager.streams.update(name, { num_replicas: 1 })
  expect(await copies()).toEqual({ ...three, EVENTS: 1, KV_progress: 1, KV_members: 1 })
  await ensureStreams(ops, { replicas: 3 })
  expect(await copies()).toEqual(three)
})
