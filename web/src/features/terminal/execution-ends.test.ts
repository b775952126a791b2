import { expect, test } from '@jest/globals'
import type { LiveEvent } from '@tripline/proto/live-event'
import { endsIn } from './execution-ends.ts'

const alertId = '01JD3Q4R5S6T7V8W9X0Y1Z2A3B'

function event(details?: LiveEvent['details']): LiveEvent {
  return { timestamp: '2026-01-02T03:04:05.006Z', type: 'webhook', message: '', ...(details && { details }) }
}

test('live events report executions that ended and alerts that were refused', () => {
  const events = [
    event(),
    event({ execution_id: `${alertId}-0`, phase: 'start' }),
    event({ execution_id: `${alertId}-0`, phase: 'done', status: 'partial' }),
    event({ phase: 'refused', error_code: 'E401' }),
    event({ execution_id: alertId, phase: 'refused', error_code: 'E401' }),
  ]
  expect(endsIn(events)).toEqual([
    { executionId: `${alertId}-0`, status: 'partial' },
    { executionId: alertId, status: 'failed' },
  ])
})
