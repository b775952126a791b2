import { expect, test } from '@jest/globals'
import type { WebhookAnswer } from '@tripline/proto/http/webhook'
import { storedAnswer } from './stored-answer.ts'

function answerOf(commands: number): WebhookAnswer {
  const result = {
    command: 'balance',
    success: false,
    status: 'failed',
    result: null,
    error: 'x'.repeat(100),
    error_code: 'E601',
    execution_time_ms: 1,
  }
  return {
    status: 'failed',
    message: `0 of ${commands} commands succeeded`,
    error: 'y'.repeat(5000),
    alert_id: '01KAJ000000000000000000000',
    execution_id: '01KAJ000000000000000000000-0',
    diagnostics: [{ code: 'W701', message: 'z'.repeat(1000) }],
    performance: { total_ms: 1 },
    results: [
      {
        label: 'MyBot',
        symbol: 'BTCUSDT',
        execution_id: '01KAJ000000000000000000000-0',
        status: 'failed',
        results: Array.from({ length: commands }, () => result),
        commands: [],
      },
    ],
  }
}

test('an answer is stored as it is', () => {
  const answer = answerOf(5)
  expect(storedAnswer(answer)).toEqual({ answer, bytes: JSON.stringify(answer).length })
})

test('of an answer of more than 16 KiB its outcome is stored, and where the results are', () => {
  const { answer, bytes } = storedAnswer(answerOf(1000))
  expect(bytes).toBe(0)
  expect(answer).toMatchObject({
    status: 'failed',
    message: '0 of 1000 commands succeeded; the history has the results',
    alert_id: '01KAJ000000000000000000000',
    results: [],
  })
  expect(JSON.stringify(answer).length).toBeLessThan(1000)
})
