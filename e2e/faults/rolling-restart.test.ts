import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import type { LiveEvent } from '@tripline/proto/live-event'
import { testLog } from '@tripline/testkit/log'
import { openCrowd } from '@tripline/testkit/people/crowd'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Production, startProduction } from '../production/production.ts'
import { listenOnAndOn } from './lasting-stream.ts'
import { openSenders, type Senders } from './senders.ts'
import { byLane, executionEnds, isRepeated, placedOrders } from './what-came.ts'

/** Twenty alerts a second: so many webhooks, each of which takes 60 a minute. */
const count = 21
const alertsBeforeAndAfter = 60

let production: Production
let ops: Bus
let person: Trader
let senders: Senders

beforeAll(async () => {
  production = await startProduction()
  const seed = await production.secret('setup/NATS_NKEY_SEED')
  ops = await connectBus({ url: production.natsUrl, user: 'ops', seed, log: testLog('ops') })
  const target = {
    urls: production.urls,
    sealPublicKeys: await production.secret('gateway/SEAL_PUBLIC_KEYS'),
  }
  const crowd = await openCrowd(target, ops, count - 1, 1)
  person = await newTrader(production)
  senders = openSenders([
    { url: person.webhookUrl, label: 'MyBot' },
    ...crowd.map(({ webhookUrl }) => ({ url: webhookUrl, label: 'Bot0' })),
  ])
}, 240_000)
afterAll(async () => {
  await ops?.close()
  await production?.stop()
}, 60_000)

test('an upgrade of every service under load fails no alert, doubles none, and keeps their order', async () => {
  const live = listenOnAndOn(production.urls.web, person.accessToken)
  await waitFor(() => live.opened() > 0)
  senders.start()
  await senders.more(alertsBeforeAndAfter)
  await production.upgrade()
  await senders.more(alertsBeforeAndAfter)
  await senders.stop()
  const { answers } = senders
  expect(answers.filter(({ status }) => status !== 200 && status !== 202)).toEqual([])
  await waitFor(async () => (await ops.manager.streams.info('ALERTS')).state.messages === 0, {
    deadlineMs: 60_000,
  })
  const placed = await placedOrders(production.urls.paper)
  expect(placed.filter(isRepeated)).toEqual([])
  const accepted = placed.filter(({ outcome }) => outcome === 'accepted')
  expect(byLane(accepted.map(senders.inItsLane))).toEqual(byLane(senders.wantedOrders()))
  const ends = await executionEnds(ops)
  expect(ends.filter(({ status }) => status !== 'success')).toEqual([])
  expect(ends.length).toBe(answers.length)
  await waitFor(() => endsOf(live.events).length >= personsAlerts().length)
  expect(endsOf(live.events).toSorted()).toEqual(personsAlerts())
  expect(live.opened()).toBeGreaterThan(1)
  await live.stop()
}, 300_000)

/** The executions of the person who listens, in the order of sending. */
function personsAlerts(): string[] {
  return senders.answers.flatMap(({ lane, alertId }) => (lane === 0 ? [`${alertId}-0`] : []))
}

/** Returns the executions whose end came live. */
function endsOf(events: readonly LiveEvent[]): (string | undefined)[] {
  return events.flatMap(({ type, details }) =>
    type === 'webhook' && details?.phase === 'done' ? [details.execution_id] : [],
  )
}
