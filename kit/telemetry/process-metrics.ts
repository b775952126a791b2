import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

// A sample is due this often; what it comes later is the delay.
const sampleMs = 20
const quantiles = ['0.5', '0.99', '1'] as const

/** Meters what every process has: whether it is ready, its event loop, its memory. */
export function meterProcess(metrics: Metrics, isReady: () => boolean): void {
  const ready = metrics.gauge('ready', 'Whether the process can do its duty: 1 or 0.', {})
  ready.follow(() => [[{}, isReady() ? 1 : 0]])
  const cpu = metrics.gauge('cpu_seconds', 'Processor time used so far.', {})
  cpu.follow(() => {
    const { user, system } = process.cpuUsage()
    return [[{}, (user + system) / 1e6]]
  })
  const resident = metrics.gauge('resident_memory_bytes', 'Memory that the process holds.', {})
  resident.follow(() => [[{}, process.memoryUsage.rss()]])
  const heap = metrics.gauge('heap_used_bytes', 'Memory of objects, garbage not collected yet included.', {})
  heap.follow(() => [[{}, process.memoryUsage().heapUsed]])
  const uptime = metrics.gauge('uptime_seconds', 'For how long the process has been running.', {})
  uptime.follow(() => [[{}, process.uptime()]])
  meterEventLoop(metrics)
}

/** Nothing of it runs before somebody asks for the first time. */
function meterEventLoop(metrics: Metrics): void {
  const delay = metrics.gauge(
    'event_loop_delay_seconds',
    'By how much the event loop was late since this was last asked.',
    { quantile: quantiles },
  )
  const busy = metrics.gauge(
    'event_loop_busy',
    'The share of time since this was last asked in which the event loop had work.',
    {},
  )
  let last = performance.eventLoopUtilization()
  busy.follow(() => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, last)
    last = current
    return [[{}, utilization]]
  })
  const monitor = monitorEventLoopDelay({ resolution: sampleMs })
  metrics.onRead(() => monitor.enable())
  delay.follow(() => {
    const samples = quantiles.map((quantile) => {
      const lateNs = monitor.count === 0 ? 0 : monitor.percentile(Number(quantile) * 100) - sampleMs * 1e6
      return [{ quantile }, Math.max(0, lateNs) / 1e9] as const
    })
    monitor.reset()
    return samples
  })
}
