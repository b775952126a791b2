import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { isZero } from '@tripline/proto/decimal'
import { waitFor } from '@tripline/testkit/wait-for'
import type { OrderPlan } from '../src/domain/order/order.ts'
import { buildRig, type Rig } from './rig.ts'
import { withVenues } from './with-venues.ts'

let rig: Rig
beforeEach(async () => {
  rig = await buildRig()
  isAway = false
  asked = 0
})
afterEach(async () => await rig.stop())

/** Whether open orders cannot be listed, and how often that was tried. */
let isAway: boolean
let asked: number

async function start(): Promise<void> {
  await rig.startExecutor(
    withVenues((venue) => ({
      openOrders: async (symbol, isUrgent) => {
        asked++
        return isAway ? { outcome: 'unreachable', cause: 'away' } : await venue.openOrders(symbol, isUrgent)
      },
    })),
  )
}

/** Sends a cancel that cannot list the open orders. */
async function sendStuckCancel(message = 'MyBot(BTCUSDT) { cancel }') {
  isAway = true
  const cancel = await rig.send(message)
  await waitFor(() => asked > 0)
  return cancel
}

test('a late cancel leaves the protection that came after it, and lets a market exit pass', async () => {
  await start()
  await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.02) }'))
  const cancel = await sendStuckCancel()
  const exit = await rig.send('MyBot(BTCUSDT) { market(sell, 0.01, reduceOnly=true) }')
  const protection = await rig.send('MyBot(BTCUSDT) { sltp(amount=100%p, sl=58000) }')
  // It ends while the cancel is still stuck.
  expect(await rig.resultOf(exit)).toMatchObject({ status: 'success' })
  isAway = false
  await Promise.all([cancel, protection].map(async (alert) => await rig.resultOf(alert)))
  expect((await rig.account()).openOrders).toHaveLength(1)
}, 90_000)

test('an exit overtakes a command that waits unsent for 15 s, and that opens nothing behind it', async () => {
  await start()
  await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.02) }'))
  const cancel = await sendStuckCancel('MyBot(BTCUSDT) { cancel; market(buy, 0.03) }')
  const entry = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  const exit = await rig.send('MyBot(BTCUSDT) { market(position=0) }')
  // Both end while the cancel is still stuck.
  expect(await rig.resultOf(entry)).toMatchObject({
    status: 'failed',
    executions: [{ commands: [{ errorCode: 'E519' }] }],
  })
  expect(await rig.resultOf(exit)).toMatchObject({ status: 'success' })
  expect(isAway).toBe(true)
  isAway = false
  expect(await rig.resultOf(cancel)).toMatchObject({
    executions: [{ commands: [{ command: 'cancel' }, { errorCode: 'E519' }] }],
  })
  const { positions } = await rig.account()
  expect(positions.filter(({ quantity }) => !isZero(quantity))).toEqual([])
}, 90_000)

test('an entry that is known to be filled only after the exit that overtook it is an alarm', async () => {
  let isSilent = true
  let held: OrderPlan | undefined
  await rig.startExecutor(
    withVenues((venue) => ({
      // The order arrives behind the exit, and nobody learns of it before.
      place: async (plan, onSent, isPermitted) => {
        if (plan.side === 'sell' || !isSilent) return await venue.place(plan, onSent, isPermitted)
        held = plan
        onSent()
        return { outcome: 'unknown', cause: 'no answer' }
      },
      lookUp: async (ref) => {
        if (isSilent) return { outcome: 'unreachable', cause: 'no answer' }
        const order = await venue.lookUp(ref)
        if (order.outcome === 'absent' && held !== undefined) await venue.place(held, () => undefined)
        return order
      },
    })),
  )
  const entry = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  const exit = await rig.send('MyBot(BTCUSDT) { market(position=0) }')
  expect(await rig.resultOf(exit)).toBeDefined()
  isSilent = false
  expect(await rig.resultOf(entry)).toMatchObject({ status: 'success' })
  const alarms = (await rig.eventsOf(entry, 'command.alarm')).filter(({ kind }) => kind === 'command.alarm')
  expect(alarms).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(/look whether it left a position/) }),
  )
}, 90_000)

test('an exit waits for nothing that is stuck in another market, however many alerts that is', async () => {
  const stuck = Promise.withResolvers<void>()
  await rig.startExecutor(
    withVenues((venue) => ({
      place: async (plan, ...sending) => {
        if (plan.symbol === 'BTCUSDT') await stuck.promise
        return await venue.place(plan, ...sending)
      },
    })),
  )
  await rig.resultOf(await rig.send('MyBot(ETHUSDT) { market(buy, 0.1) }'))
  const waiting = []
  for (let sent = 0; sent < 260; sent++) waiting.push(await rig.send('MyBot(BTCUSDT) { market(buy, 0.001) }'))
  const exit = await rig.send('MyBot(ETHUSDT) { market(position=0) }')
  try {
    expect(await rig.resultOf(exit)).toMatchObject({ status: 'success' })
  } finally {
    stuck.resolve()
  }
  await Promise.all(waiting.map(async (alert) => await rig.resultOf(alert)))
}, 120_000)
