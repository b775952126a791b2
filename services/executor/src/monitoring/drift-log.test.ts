import { afterEach, expect, test } from '@jest/globals'
import { createLog } from '@tripline/kit/telemetry/log'
import { createExecutorMetrics } from '../metrics.ts'
import { noteDrift } from '../venue/read/drift.ts'
import { openDriftLog } from './drift-log.ts'

const order = { venue: 'bybit-spot', call: 'ws.order' } as const
const midnight = Date.UTC(2026, 10, 23)

let stop = (): void => undefined
afterEach(() => stop())

function open() {
  const { metrics, drifts } = createExecutorMetrics()
  const lines: Record<string, unknown>[] = []
  const log = createLog('executor', 'info', { write: (line) => void lines.push(JSON.parse(line)) })
  let at = midnight
  const driftLog = openDriftLog({ drifts }, log, () => at)
  stop = driftLog.stop
  const advance = (ms: number): void => {
    at += ms
  }
  return { ...driftLog, metrics, lines, advance }
}

test('the first of each kind a day is logged with its shape, and every one is counted', async () => {
  const { lines, kindsToday, advance, metrics } = open()
  const message = { status: 'Odd', orderId: '7f3k9' }
  noteDrift(order, 'status', 'Odd', message)
  noteDrift(order, 'status', 'Odd', message)
  noteDrift(order, 'status', 'Odder', message)
  expect(lines).toMatchObject([
    { ...order, field: 'status', value: 'Odd', shape: '{"status":"Odd","orderId":"text of 5"}' },
    { value: 'Odder' },
  ])
  expect(kindsToday()).toBe(2)
  advance(86_400_000)
  expect(kindsToday()).toBe(0)
  noteDrift(order, 'status', 'Odd', message)
  expect(lines).toHaveLength(3)
  const counted =
    'tripline_venue_drifts_total{venue="bybit-spot",call="ws.order",field="status",process="executor"} 4'
  expect(await metrics.read()).toContain(counted)
})

test('a venue that names thousands of new fields fills neither the log nor the metrics', async () => {
  const { lines, kindsToday, metrics } = open()
  for (let index = 0; index < 2000; index++) noteDrift(order, `field${index}`, 1, {})
  expect(lines).toHaveLength(500)
  expect(kindsToday()).toBe(500)
  const exported = (await metrics.read())
    .split('\n')
    .filter((line) => line.startsWith('tripline_venue_drifts_total'))
  expect(exported).toHaveLength(501)
  expect(exported.at(-1)).toMatch(/call="other",field="other".* 1500$/)
})
