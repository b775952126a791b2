import { expect, test } from '@jest/globals'
import type { Publication } from '@tripline/kit/bus/acknowledged-publish'
import { readBucket } from '@tripline/kit/bus/bucket'
import { waitFor } from '@tripline/testkit/wait-for'
import { closeByHand } from './close-by-hand.ts'
import { cuttableRigOfTest } from './cuttable-rig.ts'
import { withStoring } from './with-storing.ts'

const on = cuttableRigOfTest()

/** Starts an executor of which what it says like this never arrives. */
async function startMute(isLost: (publication: Publication) => boolean): Promise<void> {
  const store: Parameters<typeof withStoring>[0] = async (publication, publish) =>
    isLost(publication) ? await new Promise<never>(() => undefined) : await publish(publication)
  await on.rig.startExecutor(withStoring(store, on.way))
}

async function storedEntries(): Promise<string> {
  return (await readBucket(on.rig.ops, 'progress'))
    .filter(({ key }) => key.includes('.entered.'))
    .map(({ text }) => text ?? '')
    .join()
}

const exit = 'MyBot(BTCUSDT) { market(sell, 100%) }'
const nothing = { executions: [{ commands: [{ status: 'success', result: { code: 'N804' } }] }] }

test('an entry whose note was lost with its executor is known by its stored events', async () => {
  await startMute(({ subject }) => subject.includes('.entered.'))
  const entered = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  await on.rig.eventsOf(entered, 'execution.finished')
  on.way.cut()
  expect(await storedEntries()).toBe('')
  await on.rig.startExecutor()
  await on.rig.noAlertsWait()
  expect(await storedEntries()).toContain(entered)
  await closeByHand(on.rig, 'paper')
  expect(await on.rig.resultOf(await on.rig.send(exit))).toMatchObject(nothing)
  expect(await on.accepted()).toHaveLength(2)
})

test('an exit that ended its entry, and is run again, opens nothing', async () => {
  await startMute(({ payload }) => payload.includes('"command.finished"') && payload.includes('N804'))
  await on.rig.resultOf(await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
  await closeByHand(on.rig, 'paper')
  const late = await on.rig.send(exit)
  await waitFor(async () => (await storedEntries()).includes('"over"'))
  on.way.cut()
  await on.rig.startExecutor()
  expect(await on.rig.resultOf(late)).toMatchObject(nothing)
  expect((await on.rig.account()).positions).toEqual([])
  expect(await on.rig.resultOf(await on.rig.send('MyBot(BTCUSDT) { market(sell, 10%) }'))).toMatchObject({
    executions: [{ commands: [{ status: 'success', result: { side: 'sell' } }] }],
  })
})
