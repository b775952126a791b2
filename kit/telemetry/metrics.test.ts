import { expect, test } from '@jest/globals'
import { createMetrics } from './metrics.ts'

test('events that have not happened yet are counted as zero, for every combination of labels', async () => {
  const metrics = createMetrics('executor')
  const placements = metrics.counter('placements_total', 'Orders.', {
    venue: ['bybit', 'binance'],
    outcome: ['done', 'unknown'],
  })
  placements.add({ venue: 'bybit', outcome: 'done' })
  const text = await metrics.read()
  expect(text).toContain('tripline_placements_total{venue="bybit",outcome="done",process="executor"} 1')
  expect(text).toContain('tripline_placements_total{venue="binance",outcome="unknown",process="executor"} 0')
})

test('a gauge is looked up when it is read, and has no value before it follows something', async () => {
  const metrics = createMetrics('gateway')
  const clients = metrics.gauge('sse_clients', 'Browsers.', {})
  expect(await metrics.read()).not.toContain('tripline_sse_clients{')
  let count = 3
  clients.follow(() => [[{}, count]])
  expect(await metrics.read()).toContain('tripline_sse_clients{process="gateway"} 3')
  count = 4
  expect(await metrics.read()).toContain('tripline_sse_clients{process="gateway"} 4')
})

test('a label that is gone is exported no more', async () => {
  const metrics = createMetrics('executor')
  const sites = ['one', 'other']
  metrics.gauge('venue_banned', 'Bans.', { site: 'few' }).follow(() => sites.map((site) => [{ site }, 1]))
  expect(await metrics.read()).toContain('site="other"')
  sites.pop()
  const text = await metrics.read()
  expect(text).toContain('site="one"')
  expect(text).not.toContain('site="other"')
})

test('a value that cannot be had leaves the others as they are', async () => {
  const metrics = createMetrics('history')
  metrics.gauge('consumer_pending', 'Messages.', {}).follow(async () => {
    throw new Error('the bus is away')
  })
  metrics.gauge('ready', 'Readiness.', {}).follow(() => [[{}, 1]])
  const text = await metrics.read()
  expect(text).toContain('tripline_ready{process="history"} 1')
  expect(text).not.toContain('tripline_consumer_pending{')
})

test('registered metrics are listed with their labels', () => {
  const metrics = createMetrics('intake')
  metrics.histogram('intake_stage_seconds', 'Stages.', { stage: ['read'] }, [1])
  expect(metrics.registered()).toEqual([
    {
      name: 'tripline_intake_stage_seconds',
      kind: 'histogram',
      help: 'Stages.',
      labels: ['stage', 'process'],
    },
  ])
})
