import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ExecutionPage } from '@tripline/proto/http/execution'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { type DemoAccount, openDemoAccount } from './demo-account.ts'
import { dataFolder } from './paths.ts'
import { waitUntil } from './wait-until.ts'

const stages = {
  read_ms: 'the message is read and checked',
  queue_ms: 'it is durable, and the executor has it',
  check_ms: 'markets and settings are checked',
  plan_ms: 'the order is planned, signed and sent',
  venue_ms: 'the exchange has acknowledged it',
  settle_ms: 'the command is complete',
  total_ms: 'the answer was sent',
} as const

interface JournalEntry {
  op: string
  clientOrderId: string
  venueOrderId: string
  symbol: string
  side: string
  quantity: string
  outcome: string
}

try {
  await demo()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function demo(): Promise<void> {
  const ports = runningPorts()
  const account = await openDemoAccount(`http://127.0.0.1:${ports.gateway}`, dataFolder())
  const message = `${account.botLabel}(BTCUSDT) { market(buy, 0.01) }`
  const sentAt = performance.now()
  const answer = await sendAlert(account, message)
  const roundTripMs = performance.now() - sentAt
  console.log(
    `Sent      ${message}\nAnswered  ${answer.status} after ${roundTripMs.toFixed(1)} ms: ${answer.message}\n`,
  )
  console.log(describeStages(answer))
  console.log(describeJournal(await ordersOf(ports['paper-exchange'], answer.alert_id)))
  console.log(await describeHistory(account, ports.gateway, answer))
  if (answer.status !== 'success') process.exit(1)
}

function runningPorts(): { gateway: number; 'paper-exchange': number } {
  try {
    return JSON.parse(readFileSync(path.join(dataFolder(), 'ports.json'), 'utf8'))
  } catch {
    throw new Error('Nothing was started here yet: run npm start first, and this in another terminal.')
  }
}

async function sendAlert({ webhookUrl }: DemoAccount, message: string): Promise<WebhookAnswer> {
  const response = await fetch(webhookUrl, { method: 'POST', body: message })
  const answer = WebhookAnswer.safeParse(await response.json())
  if (!answer.success)
    throw new Error(`The webhook answered ${response.status}, which is no answer to an alert`)
  return answer.data
}

function describeStages({ performance: measured }: WebhookAnswer): string {
  const rows = Object.entries(stages).map(([stage, meaning]) => {
    const ms = measured[stage as keyof typeof stages]
    return `${(ms === undefined ? '-' : ms.toFixed(2)).padStart(9)} ms  ${meaning}`
  })
  return rows.join('\n')
}

/** The orders of the alert as the exchange received them: client order ids begin with a letter and the alert's id. */
async function ordersOf(paperPort: number, alertId: string): Promise<JournalEntry[]> {
  const response = await fetch(`http://127.0.0.1:${paperPort}/control/journal`)
  const journal = (await response.json()) as JournalEntry[]
  return journal.filter(({ op, clientOrderId }) => op === 'place' && clientOrderId?.startsWith(`t${alertId}`))
}

function describeJournal(orders: JournalEntry[]): string {
  const lines = orders.map(
    ({ side, quantity, symbol, outcome, clientOrderId, venueOrderId }) =>
      `  ${side} ${quantity} ${symbol} ${outcome}, client order id ${clientOrderId}, venue order id ${venueOrderId}`,
  )
  return ['', `The exchange's journal has ${orders.length} order of this alert:`, ...lines].join('\n')
}

async function describeHistory(account: DemoAccount, port: number, answer: WebhookAnswer): Promise<string> {
  const headers = { authorization: `Bearer ${account.accessToken}` }
  const execution = await waitUntil(
    async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/webhook-executions?limit=20`, { headers })
      const { executions } = ExecutionPage.parse(await response.json())
      return executions.find(
        ({ id, overall_status }) => id === answer.execution_id && overall_status !== 'running',
      )
    },
    { what: 'the history to have it' },
  )
  const commands = execution.commands_executed.map(
    ({ type, status, execution_time_ms }) => `${type} ${status} ${execution_time_ms?.toFixed(2) ?? '-'} ms`,
  )
  return `The history has execution ${execution.id}: ${execution.overall_status} (${commands.join(', ')})`
}
