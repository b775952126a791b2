import { describe, expect, test } from '@jest/globals'
import type { LiveEvent } from '@tripline/proto/live-event'
import { keepNewest } from './log-lines.ts'
import { logLookOf } from './log-look.ts'

const event = (message: string): LiveEvent => ({
  timestamp: '2026-01-02T03:04:05.006Z',
  type: 'webhook',
  message,
})

describe('the lines of the live log', () => {
  test('are the newest 200, each with its own number', () => {
    const first = keepNewest(
      [],
      Array.from({ length: 150 }, (_, index) => event(`a${index}`)),
    )
    const lines = keepNewest(
      first,
      Array.from({ length: 100 }, (_, index) => event(`b${index}`)),
    )
    expect(lines).toHaveLength(200)
    expect(lines.at(0)?.event.message).toBe('a50')
    expect(lines.at(-1)?.event.message).toBe('b99')
    expect(new Set(lines.map(({ number }) => number)).size).toBe(200)
  })
})

test('a line looks like its type, and like its phase where that says more', () => {
  const looks = [
    { type: 'command', details: { phase: 'start' } },
    { type: 'command', details: { phase: 'success' } },
    { type: 'client_pool', details: { phase: 'keepalive' } },
    { type: 'client_pool' },
    { type: 'exchange', details: { phase: 'sent' } },
    { type: 'error', details: { phase: 'error' } },
  ] as const
  expect(looks.map((look) => logLookOf({ ...event(''), ...look }))).toEqual([
    'start',
    'success',
    'keepalive',
    'client_pool',
    'exchange',
    'error',
  ])
})
