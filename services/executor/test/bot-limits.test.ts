import { expect, test } from '@jest/globals'
import { now } from '@tripline/kit/time/clock'
import type { AlertMessage, AlertResult } from '@tripline/proto/alert'
import { waitFor } from '@tripline/testkit/wait-for'
import { rigOfTest } from './rig-of-test.ts'

const rig = rigOfTest()

async function run(commands: string, more?: Partial<AlertMessage>): Promise<AlertResult> {
  return await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`, more))
}

/** Runs commands; returns the status of each, or the code of its failure. */
async function outcomesOf(commands: string, more?: Partial<AlertMessage>): Promise<string[]> {
  const result = await run(commands, more)
  if (result.outcome === 'refused') return result.diagnostics.map(({ code }) => code)
  return result.executions.flatMap((execution) =>
    execution.commands.map(({ status, errorCode }) => errorCode ?? status),
  )
}

/** Settles once a setting has reached the executor, as this command shows. */
async function untilOutcome(command: string, expected: string): Promise<void> {
  await waitFor(async () => (await outcomesOf(command))[0] === expected)
}

test('entries of an alert that is older than its bot allows are not placed, exits are', async () => {
  await rig.configure({ maxEntryAgeS: 600 })
  await rig.startExecutor()
  const receivedAt = now() - 300_000
  expect(await outcomesOf('market(buy, 0.01)', { receivedAt })).toEqual(['success'])
  await rig.configure({ maxEntryAgeS: 200 })
  await waitFor(async () => (await outcomesOf('limit(buy, 0.01, 59000)', { receivedAt }))[0] === 'E515')
  expect(await outcomesOf('market(buy, 0.01)', { receivedAt })).toEqual(['E515'])
  expect(await outcomesOf('cancel; market(position=0)', { receivedAt })).toEqual(['success', 'success'])
})

test('an exit that the exchange does not take is tried for as long as its bot has it, also where that is changed', async () => {
  await rig.startExecutor()
  expect(await outcomesOf('market(buy, 0.01)')).toEqual(['success'])
  await rig.paper.addFault({
    match: { path: '/fapi/v1/order', method: 'POST' },
    action: 'status',
    status: 429,
  })
  const alertId = await rig.send('MyBot(BTCUSDT) { market(position=0) }')
  await rig.eventsOf(alertId, 'order.sent')
  await rig.configure({ exitRetryS: 0 })
  expect(await rig.resultOf(alertId)).toMatchObject({
    status: 'failed',
    executions: [{ commands: [{ errorCode: 'E603' }] }],
  })
})

test('a bot that is paused places no entries, and one that is halted nothing', async () => {
  await rig.startExecutor()
  expect(await outcomesOf('market(buy, 0.02)')).toEqual(['success'])
  await rig.configure({ tradingState: 'reducing' })
  await untilOutcome('limit(buy, 0.01, 50000)', 'E516')
  expect(await outcomesOf('market(sell, 0.01)')).toEqual(['success'])
  await rig.configure({ tradingState: 'halted' })
  await untilOutcome('market(sell, 0.01)', 'E516')
  expect((await rig.account()).positions).toMatchObject([{ quantity: '0.01' }])
})

test('an entry that is worth more than its bot may place is not sent, an exit is', async () => {
  await rig.configure({ maxOrderValue: '1000' })
  await rig.startExecutor()
  expect(await outcomesOf('market(buy, 0.1)')).toEqual(['E517'])
  expect(await outcomesOf('oco { stop(buy, 0.1, 61000); limit(buy, 0.1, 59000) }')).toEqual(['E517'])
  const [plan] = await rig.plan('MyBot(BTCUSDT) { market(buy, 0.1) }')
  expect(plan?.commands).toMatchObject([{ outcome: 'refused', error_code: 'E517' }])
  expect(await rig.paper.journal()).toEqual([])
  expect(await outcomesOf('market(buy, 0.015); market(buy, 900$); market(position=0)')).toEqual([
    'success',
    'success',
    'success',
  ])
})

test('a bot that is unlinked stops at once, also while it waits, and trades again once it is linked', async () => {
  await rig.startExecutor()
  const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01); wait(60); market(buy, 0.01) }')
  await rig.eventsOf(alertId, 'command.waiting')
  await rig.unlink()
  expect(await rig.resultOf(alertId)).toMatchObject({
    executions: [{ commands: [{ status: 'success' }, { errorCode: 'E516' }, { status: 'skipped' }] }],
  })
  expect(await outcomesOf('market(buy, 0.01)')).toEqual(['E404'])
  expect((await rig.paper.journal()).map(({ op }) => op)).toEqual(['place'])
  await rig.configure({})
  await untilOutcome('balance', 'success')
})

test('so many blocks of a user wait at once, one more is refused and nothing behind it runs', async () => {
  rig.config.MAX_HELD_WAITS_PER_USER = 2
  await rig.startExecutor()
  const waiting = [
    await rig.send('MyBot(BTCUSDT) { wait(60) }'),
    await rig.send('MyBot(BTCUSDT) { wait(60) }'),
  ]
  for (const alertId of waiting) await rig.eventsOf(alertId, 'command.waiting')
  expect(await outcomesOf('wait(60); market(buy, 0.01)')).toEqual(['E518', 'skipped'])
  expect(await rig.paper.journal()).toEqual([])
  await rig.configure({ tradingState: 'halted' })
  for (const alertId of waiting) await rig.resultOf(alertId)
  await rig.configure({})
  await untilOutcome('wait(0.1)', 'success')
})

test('so many orders of a user rest at once, exits twice as many, and orders that rest nowhere are sent', async () => {
  rig.config.MAX_RESTING_PER_USER = 2
  await rig.startExecutor()
  const entry = 'limit(buy, 0.01, 50000)'
  expect(await outcomesOf(`market(buy, 0.1); ${entry}; ${entry}`)).toEqual(['success', 'success', 'success'])
  // A watch begins behind the end of its command.
  await untilOutcome(entry, 'E513')
  expect(await outcomesOf('oco { stop(buy, 0.01, 61000); limit(buy, 0.01, 59000) }')).toEqual(['E513'])
  expect(await outcomesOf('market(buy, 0.01); limit(buy, 0.01, 50000, tif=ioc)')).not.toContain('E513')
  const exit = 'stop(sell, 0.01, 50000)'
  await waitFor(async () => (await outcomesOf(exit))[0] === 'E513')
  const { openOrders } = await rig.account()
  expect(openOrders.filter(({ side }) => side === 'sell').length).toBeGreaterThanOrEqual(2)
  expect(await outcomesOf('cancel')).toEqual(['success'])
  await untilOutcome(exit, 'success')
})
