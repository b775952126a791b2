import { expect, test } from '@jest/globals'
import type { LiveEvent } from '@tripline/proto/live-event'
import { logLookOf } from './log-look.ts'

const event = (message: string): LiveEvent => ({
  timestamp: '2026-01-02T03:04:05.006Z',
  type: 'webhook',
  message,
})

test('a line looks like its type, and like its phase where that says more', () => {
  const looks = [
    { type: 'command', details: { phase: 'start' } },
    { type: 'command', details: { phase: 'success' } },
    { type: 'client_pool', details: { phase: 'keepalive' } },
    { type: 'client_pool' },
    { type: 'exchange', details: { phase: 'sent' } },
    { type: 'exchange', details: { phase: 'filled' } },
    { type: 'oco', details: { phase: 'changed' } },
    { type: 'command', details: { phase: 'waiting' } },
    { type: 'error', details: { phase: 'error' } },
    { type: 'error', details: { phase: 'unknown' } },
    { type: 'error', details: { phase: 'alarm' } },
    { type: 'command', details: { phase: 'amended' } },
  ] as const
  expect(looks.map((look) => logLookOf({ ...event(''), ...look }))).toEqual([
    'start',
    'success',
    'keepalive',
    'client_pool',
    'exchange',
    'filled',
    'oco',
    'waiting',
    'error',
    'unknown',
    'alarm',
    'amended',
  ])
})
