import { type AlertMessage, AlertResult } from '@tripline/proto/alert'
import { UserConfig } from '@tripline/proto/user-config'
import { newAlertId } from './alert-id.ts'
import { bodyKey } from './claim-key.ts'
import { executedAnswer } from './domain/answer.ts'
import { readAlert } from './domain/reading.ts'
import { webhooksOf } from './domain/webhook.ts'

// The optimizing compiler has seen the path often enough by then; it takes some tens of ms.
const rounds = 400

const sample =
  'Golden cross\nMyBot(BTCUSDT) { market(buy, 0.01); balance }\nSpot1(ETHUSDT.P) { market(sell, 50%) }'

const someUser = '00000000-0000-4000-8000-000000000000'

/** Runs the pure part of an alert's way so often that the first real one finds it compiled; nothing leaves the process. */
export function warmUp(): void {
  const { webhook } = webhooksOf(sampleConfig())
  for (let round = 0; round < rounds; round++) {
    const raw = round % 2 === 0 ? sample : JSON.stringify({ message: sample })
    const reading = readAlert(raw, webhook, 0)
    if (reading.outcome !== 'read') throw new Error('the warm-up alert cannot be read')
    const alertId = newAlertId(0)
    const { message, blocks } = reading
    const times = { receivedAt: 0, readAt: 0 }
    const alert: AlertMessage = { alertId, userId: webhook.userId, message, blocks, isFirst: true, ...times }
    bodyKey(webhook, JSON.stringify(alert))
    const result = AlertResult.parse(JSON.parse(JSON.stringify(sampleResult(alert))))
    if (result.outcome === 'executed') JSON.stringify(executedAnswer(result, { ...times, answeredAt: round }))
  }
}

function sampleConfig(): UserConfig {
  const bot = { exchange: 'paper', isTestnet: true, tradingState: 'active', maxEntryAgeS: 60 }
  return UserConfig.parse({
    userId: someUser,
    version: 0,
    webhook: { tokenHash: '0'.repeat(64), isActive: true, maxRequestsPerMinute: 60 },
    bots: ['MyBot', 'Spot1'].map((label) => ({ ...bot, id: someUser, label, marketType: 'futures' })),
  })
}

function sampleResult({ alertId, blocks }: AlertMessage): object {
  const order = {
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'market',
    amount: '0.010',
    price: '60000.1',
    filled: '0.010',
  }
  const result = {
    ...order,
    id: '1',
    client_order_id: alertId,
    status: 'filled',
    reduce_only: false,
    sizing: '0.010',
  }
  const command = { status: 'success', result, error: null, errorCode: null, executionTimeMs: 1 }
  return {
    outcome: 'executed',
    alertId,
    status: 'success',
    executions: blocks.map(({ label, symbol, commands }, index) => ({
      executionId: `${alertId}-${index}`,
      label,
      symbol,
      status: 'success',
      commands: commands.map(({ type }) => ({ command: type, ...command })),
    })),
    moments: { takenAt: 1, checkedAt: 2, firstSentAt: 3, firstAcknowledgedAt: 4, finishedAt: 5 },
  }
}
