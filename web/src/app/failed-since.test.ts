import { expect, test } from '@jest/globals'
import { failedSince } from './failed-since.ts'

test('only the failures of the asked time are counted', () => {
  const executions = ['2026-01-02T11:59:59.000Z', '2026-01-02T11:00:01.000Z', '2026-01-02T10:59:59.000Z']
  const counted = failedSince(
    executions.map((created_at) => ({ created_at })),
    Date.parse('2026-01-02T11:00:00.000Z'),
  )
  expect(counted).toBe(2)
})
