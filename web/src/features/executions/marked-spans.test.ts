import { expect, test } from '@jest/globals'
import type { ExecutionView } from '@tripline/proto/http/execution'
import { markedSpans } from './marked-spans.ts'

const bots = [{ label: 'MyBot', market: 'futures' as const }]
const command = {
  type: 'market',
  symbol: 'BTCUSDT',
  params: {},
  execution_time_ms: 1,
  error_code: null,
  error_message: null,
  result: null,
}

function execution(message: string, more: Partial<ExecutionView>): ExecutionView {
  return {
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1',
    alert_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    created_at: '2026-11-21T12:00:00.000Z',
    api_key_label: 'MyBot',
    exchange: 'paper_futures',
    symbol: 'BTCUSDT',
    overall_status: 'failed',
    error_code: null,
    error_message: null,
    total_ms: 1,
    webhook_payload: { message },
    commands_executed: [],
    ...more,
  }
}

const marked = (told: ExecutionView): string[] =>
  markedSpans(told, bots).map(({ offset, length }) =>
    told.webhook_payload.message.slice(offset, offset + length),
  )

test('an alert that was refused is marked where its error stands', () => {
  const message = 'MyBot(BTCUSDT) { markte(buy, 1) }'
  expect(marked(execution(message, { error_code: 'E202' }))).toEqual(['markte'])
})

test('of an alert that ran, the failed commands of this block are marked', () => {
  const message = 'MyBot(ETHUSDT) { balance }\nMyBot(BTCUSDT) { balance; market(buy, 9999) }'
  const commands = [
    { ...command, status: 'success' },
    { ...command, status: 'failed' },
  ]
  expect(marked(execution(message, { commands_executed: commands }))).toEqual(['market(buy, 9999)'])
})

test('nothing is marked in a message of another form', () => {
  expect(marked(execution('{"action":"buy"}', { error_code: 'rate_limited' }))).toEqual([])
})
