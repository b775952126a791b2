import { expect, test } from '@jest/globals'
import { renderToStaticMarkup } from 'react-dom/server'
import { ActivityRow } from './activity-row.tsx'

test('a line of activity shows its time in UTC with milliseconds', () => {
  const timestamp = '2026-02-03T23:04:05.000+02:00'
  const event = { timestamp, type: 'webhook', message: 'Alert received' } as const
  expect(renderToStaticMarkup(<ActivityRow line={{ id: 1, event }} />)).toContain('>21:04:05.000</time>')
})
