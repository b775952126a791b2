import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, store } from '@tripline/kit/bus/bus'
import { now } from '@tripline/kit/time/clock'
import type { AlertMessage } from '@tripline/proto/alert'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import type { AlertId, BotId } from '@tripline/proto/id'
import { readMessage } from '@tripline/proto/language/read-message'
import { alertSubject } from '@tripline/proto/subject'
import { crowdTargetOf, type Member, openCrowd, operatorBus } from '@tripline/testkit/people/crowd'
import { secondExecutor } from '@tripline/testkit/second-executor'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import type { ServiceProcess } from '@tripline/testkit/stack/service-process'
import { waitFor } from '@tripline/testkit/wait-for'
import { executionEnds, isRepeated, placedOrders } from './what-came.ts'

/** The heap of the executor, and what waits for it: three times as much. */
const heapMb = 128
const users = 12
const alertsEach = 490
const alertCharacters = 65_000
/** A webhook takes 60 a minute. */
const paceMs = 1050

let product: Product
let executor: ServiceProcess
let ops: Bus
let neighbour: Member
let crowd: Member[]
const deaths: string[] = []

beforeAll(async () => {
  product = await startProduct({ ephemeral: true, services: ['paper-exchange', 'intake'] })
  ops = await operatorBus(product)
  const [first, ...others] = await openCrowd(crowdTargetOf(product), ops, users + 1, 1)
  if (first === undefined) throw new Error('There is no crowd')
  neighbour = first
  crowd = others
  const env = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` }
  executor = await secondExecutor(product, (how) => deaths.push(how), env)
}, 120_000)
afterAll(async () => {
  await executor?.stop()
  await ops?.close()
  await product?.stop()
}, 60_000)

test('a backlog of three times the heap ends no executor and holds up no neighbour', async () => {
  await executor.start()
  const calm = await ordersInARow(5)
  await executor.stop()
  await Promise.all(crowd.map(storeBacklog))
  const loaded: Sent[] = []
  for (const isLast of [false, false, true]) {
    // Each successor reads all of it again, and after two deaths it is careful.
    await executor.start()
    loaded.push(...(await ordersInARow(6)))
    if (!isLast) await executor.kill('SIGKILL')
  }
  expect(deaths).toEqual([])
  // The first one after a death waits for the takeover, and on a busy machine for longer than its sender.
  const usual = loaded.filter((_order, index) => index % 6 > 0)
  expect([...calm, ...usual].filter(({ status }) => status !== 'success')).toEqual([])
  // Behind the backlog it would take as long as that; the machine may be slower now than when it was calm.
  expect(medianOf(usual)).toBeLessThan(10 * medianOf(calm) + 5000)
  expect((await placedOrders(product.urls.paper)).filter(isRepeated)).toEqual([])
  const ends = await endsWith(loaded)
  expect(new Set(ends.map(({ executionId }) => executionId)).size).toBe(ends.length)
  expect(ends.length).toBeGreaterThan(calm.length + loaded.length)
}, 300_000)

interface Sent {
  ms: number
  status: string
  alertId: string
}

/** The ends of all executions, once those of these orders are there and show success. */
async function endsWith(orders: readonly Sent[]): ReturnType<typeof executionEnds> {
  return await waitFor(
    async () => {
      const ends = await executionEnds(ops)
      const succeeded = new Set(
        ends.flatMap(({ executionId, status }) => (status === 'success' ? [executionId.slice(0, 26)] : [])),
      )
      return orders.every(({ alertId }) => succeeded.has(alertId)) && ends
    },
    { deadlineMs: 60_000 },
  )
}

/** Sends so many orders of the neighbour, each once the one before has ended. */
async function ordersInARow(count: number): Promise<Sent[]> {
  const sent: Sent[] = []
  while (sent.length < count) {
    const from = performance.now()
    const answer = await order(sent.length)
    const ms = performance.now() - from
    sent.push({ ms, ...answer })
    await sleep(Math.max(0, paceMs - ms))
  }
  return sent
}

const Answer = WebhookAnswer.pick({ status: true, alert_id: true })

function medianOf(orders: readonly Sent[]): number {
  return orders.map(({ ms }) => ms).toSorted((one, other) => one - other)[orders.length >> 1] ?? 0
}

/** Sends an order of the neighbour; returns its outcome while its sender waited. */
async function order(count: number): Promise<Pick<Sent, 'status' | 'alertId'>> {
  const body = `Bot0(BTCUSDT) { market(${count % 2 === 0 ? 'buy' : 'sell'}, 0.01) }`
  const response = await fetch(`${neighbour.webhookUrl}?wait=60000`, { method: 'POST', body })
  const { status, alert_id: alertId } = Answer.parse(await response.json())
  return { status, alertId }
}

/** Stores what intake would store of a user who sends the largest alerts for minutes while nobody runs them. */
async function storeBacklog({ userId, botIds }: Member, user: number): Promise<void> {
  const [botId] = botIds
  const text = 'Bot0(BTCUSDT) { balance(USDT) }'
  const message = `${text} // ${'x'.repeat(alertCharacters - text.length - 4)}`
  const { blocks } = readMessage(message, [{ label: 'Bot0', market: 'futures' }])
  for (let count = 0; count < alertsEach; count++) {
    const alert: AlertMessage = {
      alertId:
        `01ARZ3NDEKTSV4RRF${String.fromCharCode(65 + user)}Q69${`${count}`.padStart(5, '0')}` as AlertId,
      userId,
      message,
      blocks: blocks.map((block) => ({ ...block, botId: botId as BotId })),
      isFirst: true,
      receivedAt: now(),
      readAt: now(),
    }
    const options = { messageId: alert.alertId, attemptMs: 5000, deadlineMs: 60_000 }
    await store(ops, alertSubject(userId), JSON.stringify(alert), options)
  }
}
