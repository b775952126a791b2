import { expect, test } from '@jest/globals'
import { AlertMessage, AlertResult } from '@tripline/proto/alert'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { diagnosticViews, executedAnswer } from './answer.ts'

const alertId = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const moments = { receivedAt: 1000, readAt: 1000.25, answeredAt: 1010.123456 }
const failed = { result: null, errorCode: 'E506', error: 'not enough margin', executionTimeMs: 2 }
const skipped = { result: null, errorCode: null, error: null, executionTimeMs: 0 }
const done = { ...skipped, executionTimeMs: 1 }

function executed(changes: object = {}): Extract<AlertResult, { outcome: 'executed' }> {
  const result = AlertResult.parse({
    outcome: 'executed',
    alertId,
    status: 'partial',
    executions: [
      {
        executionId: `${alertId}-0`,
        label: 'MyBot',
        symbol: 'BTCUSDT',
        status: 'partial',
        commands: [
          { command: 'balance', status: 'success', ...done },
          { command: 'market', status: 'failed', ...failed },
          { command: 'cancel', status: 'skipped', ...skipped },
        ],
      },
    ],
    moments: {
      takenAt: 1001,
      checkedAt: 1002,
      firstSentAt: 1004,
      firstAcknowledgedAt: 1008,
      finishedAt: 1009,
      ...changes,
    },
  })
  if (result.outcome !== 'executed') throw new Error('not executed')
  return result
}

test('an executed alert answers how many commands succeeded and the first error', () => {
  const answer = WebhookAnswer.parse(executedAnswer(executed(), moments))
  expect(answer).toMatchObject({
    status: 'partial',
    message: '1 of 3 commands succeeded',
    error: 'not enough margin',
    alert_id: alertId,
    execution_id: `${alertId}-0`,
  })
  expect(answer.results[0]).toMatchObject({
    results: [
      { command: 'balance', success: true },
      { command: 'market', success: false, status: 'failed', error: 'not enough margin', error_code: 'E506' },
      { command: 'cancel', success: false, status: 'skipped', error: null },
    ],
    commands: [
      { command: 'balance', success: true },
      { command: 'market', success: false },
      { command: 'cancel', success: false },
    ],
  })
})

test('the stages add up to the time until it was finished', () => {
  expect(executedAnswer(executed(), moments).performance).toEqual({
    total_ms: 10.123,
    read_ms: 0.25,
    queue_ms: 0.75,
    check_ms: 1,
    plan_ms: 2,
    venue_ms: 4,
    settle_ms: 1,
  })
})

test('a stage that did not happen is absent', () => {
  const unsent = { firstSentAt: undefined, firstAcknowledgedAt: undefined }
  expect(executedAnswer(executed(unsent), moments).performance).toEqual({
    total_ms: 10.123,
    read_ms: 0.25,
    queue_ms: 0.75,
    check_ms: 1,
    settle_ms: 7,
  })
})

test('clocks of two machines that differ give no stage below nothing', () => {
  expect(executedAnswer(executed({ takenAt: 999 }), moments).performance.queue_ms).toBe(0)
})

test("the executor's diagnostics stand at their block, or nowhere where the block is unknown", () => {
  const span = { offset: 4, length: 10 }
  const block = { label: 'MyBot', symbol: 'BTCUSD', perp: false, labelSpan: span, symbolSpan: span, span }
  const botId = '7b1e3a52-5e0b-4d5e-9a3b-0f4f0a9c1d11'
  const balance = { type: 'balance', span, valueSpans: {} }
  const alert = AlertMessage.parse({
    alertId,
    userId: botId,
    message: '\n\n  MyBot(BTCUSD) { balance }',
    blocks: [{ ...block, botId, commands: [balance] }],
    isFirst: true,
    receivedAt: 0,
    readAt: 0,
  })
  const diagnostics = [
    { code: 'E401', message: 'BTCUSD is not listed', block: 0 },
    { code: 'E516', message: 'the bot is halted', block: 7 },
  ]
  const result = {
    outcome: 'refused' as const,
    alertId: alert.alertId,
    diagnostics,
    moments: { takenAt: 0, finishedAt: 0 },
  }
  expect(diagnosticViews(result, alert)).toEqual([
    { code: 'E401', message: 'E401 BTCUSD is not listed', line: 3, column: 3, ...span },
    { code: 'E516', message: 'E516 the bot is halted' },
  ])
})
