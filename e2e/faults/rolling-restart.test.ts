import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, connectBus } from '@tripline/kit/bus'
import type { LiveEvent } from '@tripline/proto/live-event'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'
import { type Production, startProduction } from '../production/production.ts'
import { newTrader, type Trader } from '../trader.ts'
import { openCrowd } from './crowd.ts'
import { listenOnAndOn } from './lasting-stream.ts'
import { byLane, executionEnds, isRepeated, type LaneOrder, placedOrders } from './what-came.ts'

/** Twenty alerts a second: so many webhooks, each of which takes 60 a minute. */
const senders = 21
const paceMs = 1050
const alertsBeforeAndAfter = 60

/** What a webhook answered, or why there was no answer. */
interface Answer {
  lane: number
  status: number | string
  alertId: string | undefined
}

let production: Production
let ops: Bus
let person: Trader
let webhookUrls: string[]
const answers: Answer[] = []

beforeAll(async () => {
  production = await startProduction()
  const seed = await production.secret('setup/NATS_NKEY_SEED')
  ops = await connectBus({ url: production.natsUrl, user: 'ops', seed, log: testLog('ops') })
  const place = {
    urls: production.urls,
    sealPublicKeys: await production.secret('gateway/SEAL_PUBLIC_KEYS'),
  }
  const crowd = await openCrowd(place, ops, senders - 1, 1)
  person = await newTrader(production)
  webhookUrls = [person.webhookUrl, ...crowd.map((member) => member.webhookUrl)]
}, 240_000)
afterAll(async () => {
  await ops?.close()
  await production?.stop()
}, 60_000)

test('an upgrade of every service under load fails no alert, doubles none, and keeps their order', async () => {
  const live = listenOnAndOn(production.urls.web, person.accessToken)
  await waitFor(() => live.opened() > 0)
  const stopping = new AbortController()
  const sending = webhookUrls.map(async (url, lane) => await sendOnAndOn(url, lane, stopping.signal))
  await moreAlerts()
  await production.upgrade()
  await moreAlerts()
  stopping.abort()
  await Promise.all(sending)
  expect(answers.filter(({ status }) => status !== 200 && status !== 202)).toEqual([])
  await waitFor(async () => (await ops.manager.streams.info('ALERTS')).state.messages === 0, {
    deadlineMs: 60_000,
  })
  const placed = await placedOrders(production.urls.paper)
  expect(placed.filter(isRepeated)).toEqual([])
  const accepted = placed.filter(({ outcome }) => outcome === 'accepted')
  expect(byLane(accepted.map(inItsLane))).toEqual(byLane(wantedOrders()))
  const ends = await executionEnds(ops)
  expect(ends.filter(({ status }) => status !== 'success')).toEqual([])
  expect(ends.length).toBe(answers.length)
  await waitFor(() => toldEnds(live.events).length >= personsAlerts().length)
  expect(toldEnds(live.events).toSorted()).toEqual(personsAlerts())
  expect(live.opened()).toBeGreaterThan(1)
  await live.stop()
}, 300_000)

/** Sends the next alert once the last one is answered, and never more than the webhook takes. */
async function sendOnAndOn(url: string, lane: number, stopping: AbortSignal): Promise<void> {
  await sleep((paceMs * lane) / senders)
  const label = lane === 0 ? 'MyBot' : 'Bot0'
  for (let count = 0; !stopping.aborted; count++) {
    const pause = sleep(paceMs)
    const side = count % 2 === 0 ? 'buy' : 'sell'
    answers.push({ lane, ...(await send(url, `${label}(BTCUSDT) { market(${side}, 0.01) }`)) })
    await pause
  }
}

async function send(url: string, message: string): Promise<Omit<Answer, 'lane'>> {
  try {
    const response = await fetch(`${url}?wait=60000`, { method: 'POST', body: message })
    const text = await response.text()
    const { alert_id: alertId, status } = Sent.parse(JSON.parse(text))
    const isTaken = response.ok && (status === 'success' || status === 'accepted')
    return { status: isTaken ? response.status : text, alertId }
  } catch (error) {
    return { status: `no answer: ${error}, ${error instanceof Error ? error.cause : ''}`, alertId: undefined }
  }
}

const Sent = z.object({ alert_id: z.string().optional(), status: z.string() })

async function moreAlerts(): Promise<void> {
  const until = answers.length + alertsBeforeAndAfter
  await waitFor(() => answers.length >= until, { deadlineMs: 60_000 })
}

function wantedOrders(): LaneOrder[] {
  return answers.map(({ lane, alertId }) => ({ lane: `${lane}`, order: `${alertId}00000` }))
}

function inItsLane({ order }: { order: string }): LaneOrder {
  const sent = answers.find(({ alertId }) => order.startsWith(`${alertId}`))
  return { lane: `${sent?.lane}`, order }
}

/** The executions of the person who listens, in the order of sending. */
function personsAlerts(): string[] {
  return answers.flatMap(({ lane, alertId }) => (lane === 0 ? [`${alertId}-0`] : []))
}

/** The executions whose end was told live. */
function toldEnds(events: readonly LiveEvent[]): (string | undefined)[] {
  return events.flatMap(({ type, details }) =>
    type === 'webhook' && details?.phase === 'done' ? [details.execution_id] : [],
  )
}
