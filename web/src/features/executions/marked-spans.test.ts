import { expect, test } from '@jest/globals'
import type { ExecutionView } from '@tripline/proto/http/execution'
import { markedSpans } from './marked-spans.ts'
import { sampleCommand, sampleExecution } from './sample-execution.ts'

const bots = [{ label: 'MyBot', market: 'futures' as const }]

const execution = (message: string, more: Partial<ExecutionView>): ExecutionView =>
  sampleExecution({
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1',
    alert_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    overall_status: 'failed',
    webhook_payload: { message },
    ...more,
  })

const marked = (view: ExecutionView): string[] =>
  markedSpans(view, bots).map(({ offset, length }) =>
    view.webhook_payload.message.slice(offset, offset + length),
  )

test('an alert that was refused is marked where its error stands', () => {
  const message = 'MyBot(BTCUSDT) { markte(buy, 1) }'
  expect(marked(execution(message, { error_code: 'E202' }))).toEqual(['markte'])
})

test('of an alert that ran, the failed commands of this block are marked', () => {
  const message = 'MyBot(ETHUSDT) { balance }\nMyBot(BTCUSDT) { balance; market(buy, 9999) }'
  const commands = [sampleCommand(), sampleCommand({ status: 'failed' })]
  expect(marked(execution(message, { commands_executed: commands }))).toEqual(['market(buy, 9999)'])
})

test('nothing is marked in a message of another form', () => {
  expect(marked(execution('{"action":"buy"}', { error_code: 'rate_limited' }))).toEqual([])
})
