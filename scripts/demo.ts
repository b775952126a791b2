import { readFileSync } from 'node:fs'
import path from 'node:path'
import { styleText } from 'node:util'
import type { LiveEvent } from '@tripline/proto/live-event'
import type { JournalEntry } from '@tripline/testkit/paper-control'
import { dataFolder } from '@tripline/testkit/paths'
import { openDemoAccount } from '@tripline/testkit/people/demo-account'
import { type LiveStream, openLiveStream } from '@tripline/testkit/people/live-stream'
import { waitUntil } from '@tripline/testkit/wait-until'
import { describeWay, wayOf } from './alert-way.ts'
import { readArguments } from './arguments.ts'
import { ordersOf, type Sent, sendAlert } from './first-alert.ts'

readArguments({ help: 'npm run demo\nSends an alert through the product that runs, and prints its way.' })
try {
  await demo()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function demo(): Promise<void> {
  const ports = await runningPorts()
  const webUrl = `http://127.0.0.1:${ports.gateway}`
  const account = await openDemoAccount(webUrl, dataFolder())
  const live = await openLiveStream(webUrl, account.accessToken)
  await waitUntil(() => live.events.length > 0, { awaited: 'the live stream to begin' })
  const sent = await sendAlert(webUrl, account, `${account.botLabel}(BTCUSDT) { market(buy, 0.01) }`)
  const seen = await eventsOf(live, sent.answer.execution_id)
  live.stop()
  const orders = await ordersOf(`http://127.0.0.1:${ports['paper-exchange']}`, sent.answer.alert_id)
  const parts = [describeAnswer(sent), describeOrders(orders, sent), describeEvents(seen)]
  const way = describeWay(wayOf(sent.answer.performance), process.stdout.isTTY === true)
  console.log([...parts, `${heading('Its way')}\n${way}`, describeWait(sent)].join('\n\n'))
  if (sent.answer.status !== 'success') process.exit(1)
}

interface Ports {
  gateway: number
  'paper-exchange': number
}

async function runningPorts(): Promise<Ports> {
  const nothing = `Nothing runs on ${dataFolder()}: run npm start first, and this in another terminal.`
  let ports: Ports
  try {
    ports = JSON.parse(readFileSync(path.join(dataFolder(), 'ports.json'), 'utf8'))
  } catch {
    throw new Error(nothing)
  }
  // A killed product leaves its ports file.
  await fetch(`http://127.0.0.1:${ports.gateway}/livez`).catch((cause) => {
    throw new Error(nothing, { cause })
  })
  return ports
}

/** The events of an execution, once the last one has come. */
async function eventsOf(live: LiveStream, executionId: string): Promise<LiveEvent[]> {
  const own = (): LiveEvent[] => live.events.filter(({ details }) => details?.execution_id === executionId)
  await waitUntil(() => own().some(({ details }) => details?.phase === 'done'), {
    awaited: 'the end of the alert in the live stream',
  })
  return own()
}

function describeAnswer({ message, status, answer, roundTripMs }: Sent): string {
  const orderIds = answer.results.flatMap(({ results }) => results.map(({ result }) => result?.['id'] ?? '-'))
  const rows = {
    Alert: message,
    Answer: `${status} ${answer.status} after ${roundTripMs.toFixed(1)} ms: ${answer.message}`,
    'Order id': orderIds.join(', '),
  }
  return Object.entries(rows)
    .map(([name, value]) => `${styleText('bold', name.padEnd(9))} ${value}`)
    .join('\n')
}

function describeOrders(orders: readonly JournalEntry[], { sentAt }: Sent): string {
  const lines = orders.map((order) => {
    const arrivedMs = Number(BigInt(order.receivedNs) / 1000n) / 1000 - sentAt
    return [
      `  ${order.method} ${order.path}  ${order.side} ${order.type} ${order.quantity} ${order.symbol}`,
      `  client order id ${order.clientOrderId}`,
      `  ${order.outcome} as ${order.venueOrderId}, ${arrivedMs.toFixed(2)} ms after the alert was sent`,
    ].join('\n')
  })
  const count = orders.length === 1 ? 'one order' : `${orders.length} orders`
  return [heading(`The exchange received ${count}`), ...lines].join('\n')
}

function describeEvents(events: readonly LiveEvent[]): string {
  const lines = events.map(
    ({ timestamp, type, message }) =>
      `  ${styleText('dim', timestamp.slice(11, 23))}  ${type.padEnd(8)} ${message}`,
  )
  return [heading('The live screen saw'), ...lines].join('\n')
}

function describeWait({ roundTripMs, answer }: Sent): string {
  const elsewhereMs = roundTripMs - answer.performance.total_ms
  return `${answer.performance.total_ms.toFixed(2)} ms in all, and ${elsewhereMs.toFixed(2)} ms on the way from and to the caller.`
}

function heading(text: string): string {
  return styleText('bold', text)
}
