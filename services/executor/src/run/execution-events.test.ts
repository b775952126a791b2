import { expect, test } from '@jest/globals'
import { ExecutionEvent } from '@tripline/proto/event'
import { AlertId, executionIdOf } from '@tripline/proto/id'
import { withMessageOnce } from './execution-events.ts'

const alertId = AlertId.parse('01KAJ00000000000000000000A')

const receivedOf = (block: number): ExecutionEvent =>
  ExecutionEvent.parse({
    kind: 'execution.received',
    eventId: `${alertId}-${block}.-.received`,
    at: 1,
    userId: '0193f5a0-0000-7000-8000-000000000001',
    alertId,
    executionId: executionIdOf(alertId, block),
    botId: '0193f5a0-0000-7000-8000-0000000000b1',
    label: 'MyBot',
    exchange: 'paper_futures',
    symbol: 'BTCUSDT',
    message: 'text',
    body: 'body',
    receivedAt: 1,
    commands: [],
  })

test('the text of an alert goes with the block that is emitted first, whichever that is', () => {
  const emitted: ExecutionEvent[] = []
  const events = withMessageOnce({ emit: (event) => emitted.push(event), stored: async () => undefined })
  for (const block of [1, 0, 2]) events.emit(receivedOf(block))
  const texts = emitted.map(
    (event) => event.kind === 'execution.received' && [event.executionId, event.message, event.body],
  )
  expect(texts).toEqual([
    [executionIdOf(alertId, 1), 'text', 'body'],
    [executionIdOf(alertId, 0), '', undefined],
    [executionIdOf(alertId, 2), '', undefined],
  ])
})
