import { expect, test } from '@jest/globals'
import type { Bus } from '@tripline/kit/bus/bus'
import { testLog } from '@tripline/testkit/log'
import { readerLabels, readSentToOwners } from './partition-readers.ts'

const reading = (labels: Record<string, string>, sentTo: number): object => ({
  config: { metadata: labels },
  delivered: { stream_seq: sentTo },
})
const labels = { owner: 'one', partition: '3', server: 'run 1' }

const single = { server_id: 'run 1', jetstream: true }

/** A bus whose server knows these readers of the alerts. */
function busOf(consumers: object[], info: object = single): Bus {
  const answer = { total: consumers.length, consumers }
  const request = async (): Promise<object> => ({ json: () => answer })
  return { connection: { info }, request, log: testLog('bus') } as unknown as Bus
}

test('an owner was sent as much as the furthest of its readers of that partition', async () => {
  const others = [
    reading({ ...labels, owner: 'two' }, 30),
    reading({ ...labels, partition: '4' }, 40),
    reading({}, 50),
  ]
  const sentTo = await readSentToOwners(busOf([reading(labels, 8), reading(labels, 5), ...others]))
  expect([sentTo('one', 3), sentTo('two', 3), sentTo('one', 5)]).toEqual([8, 30, undefined])
})

test('figures from before a server was started anew do not count', async () => {
  const sentTo = await readSentToOwners(busOf([reading(labels, 8)], { ...single, server_id: 'run 2' }))
  expect(sentTo('one', 3)).toBeUndefined()
})

test.each([
  ['on a cluster', { ...single, cluster: 'several' }],
  ['behind a server that keeps no streams', { server_id: 'run 1' }],
])('%s no reader is known, and none is labelled', async (_where, info) => {
  const bus = busOf([reading(labels, 8)], info)
  expect(readerLabels(bus, 'one', 3)).toBeUndefined()
  expect((await readSentToOwners(bus))('one', 3)).toBeUndefined()
})

test('a server that does not answer leaves everything unknown', async () => {
  const bus = busOf([])
  bus.request = async () => {
    throw new Error('no answer')
  }
  expect((await readSentToOwners(bus))('one', 3)).toBeUndefined()
})
