import { expect, test } from '@jest/globals'
import { faultReport, troubleTable } from './report.ts'

const made = [
  { name: 'nats: killed', from: 0, until: 1000 },
  { name: 'nats: killed', from: 5000, until: 7000 },
  { name: 'auth: paused', from: 500, until: 1500 },
]
const answered = [
  { at: 100, tookMs: 40, status: 202 },
  { at: 600, tookMs: 1700, status: 503 },
  { at: 1200, tookMs: 30, status: 200 },
  { at: 3000, tookMs: 9000, status: 202 },
  { at: 5000, tookMs: 300, status: 0 },
]

test('the table counts the answers to alerts that were sent while a trouble lasted', () => {
  const rows = troubleTable(made, answered)
    .split('\n')
    .slice(2)
    .map((row) => row.split(/\s{2,}/))
  expect(rows).toEqual([
    ['auth: paused', '1', '1.0', '1', '1', '0', '1.7'],
    ['nats: killed', '2', '2.0', '1', '1', '1', '1.7'],
  ])
})

test('the report sums the windows up, and names what did not hold', () => {
  const window = { alerts: 600, orders: 1000, failures: new Map([['E602', 2]]), troubles: made, answered }
  const figures = { minutes: 30, seed: 7, outcomes: [window, window], trends: 'executor 1' }
  const sound = faultReport({ ...figures, violations: [] }, '2026-11-28')
  expect(sound).toContain('2 kinds of trouble made 6 times, 1,200 alerts, 2,000 orders')
  expect(sound).toContain('Everything held.')
  expect(sound).toContain('E602 4')
  const faulty = faultReport({ ...figures, violations: ['order 1 was accepted twice'] }, '2026-11-28')
  expect(faulty).toContain('- order 1 was accepted twice')
  expect(faulty).not.toContain('Everything held.')
})
