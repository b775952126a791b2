import { expect, test } from '@jest/globals'
import { connectBus } from '@tripline/kit/bus/bus'
import { rigOfTest } from './rig-of-test.ts'
import { withVenues } from './with-venues.ts'
import { withoutReading } from './without-reading.ts'

const rig = rigOfTest()

test('a group is ended by a cancel that comes before its watch has begun', async () => {
  await rig.startExecutor(
    withVenues(() => ({
      // A list that takes no time leaves the watch none.
      openOrders: async () => ({ outcome: 'read', orders: [] }),
    })),
  )
  const commands =
    'market(buy, 0.02); oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }; cancel; balance(USDT)'
  const alertId = await rig.send(`MyBot(BTCUSDT) { ${commands} }`)
  expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  const changes = (await rig.eventsOf(alertId, 'group.changed')).flatMap((event) =>
    event.kind === 'group.changed' || event.kind === 'command.alarm' ? [event.text] : [],
  )
  expect(changes).toEqual(['ended by a cancel'])
  expect((await rig.account()).openOrders).toEqual([])
})

test('a group is ended by a cancel that a successor runs before it has read the watched orders', async () => {
  const first = await rig.startExecutor()
  const group = await rig.send(
    'MyBot(BTCUSDT) { market(buy, 0.02); oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) } }',
  )
  expect(await rig.resultOf(group)).toMatchObject({ status: 'success' })
  await first.stop()
  const cancel = await rig.send('MyBot(BTCUSDT) { cancel }')
  await rig.startExecutor({
    connect: async (options) => withoutReading(await connectBus(options), 'KV_watches', 4),
  })
  expect(await rig.resultOf(cancel)).toMatchObject({ status: 'success' })
  const changes = (await rig.eventsOf(group, 'group.changed')).filter(
    ({ kind }) => kind === 'group.changed' || kind === 'command.alarm',
  )
  expect(changes).toMatchObject([{ kind: 'group.changed', text: 'ended by a cancel' }])
})
