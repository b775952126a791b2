import type { Http } from '@tripline/kit/http/http'
import { createMetrics } from '@tripline/kit/telemetry/metrics'
import { declareBus, declareCrowded } from '@tripline/kit/telemetry/service-metrics'

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The gateway's metrics. */
export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>

/** The metrics of the gateway, with nothing metered yet. */
export function createGatewayMetrics() {
  const metrics = createMetrics('gateway')
  return {
    metrics,
    bus: declareBus(metrics),
    crowded: declareCrowded(metrics),
    requests: metrics.counter(
      'http_requests_total',
      'Requests that were answered, by the class of the status.',
      {
        class: ['2xx', '3xx', '4xx', '5xx'],
      },
    ),
    requestTimes: metrics.histogram(
      'http_request_seconds',
      'How long requests took to answer, by route; live streams are left out.',
      { route: 'few' },
      requestBuckets,
    ),
    streams: metrics.gauge('sse_clients', 'Browsers that listen to live events.', {
      audience: ['own', 'everybody'],
    }),
  }
}

/** Meters every request once its answer is on its way. */
export function meterRequests(http: Http, { requests, requestTimes }: GatewayMetrics): void {
  http.addHook('onResponse', (request, reply, done) => {
    requests.add({ class: classOf(reply.statusCode) })
    // The pattern, and not the address: there are as many of those as callers can think of.
    const route = request.routeOptions.url ?? 'unknown'
    if (!route.endsWith('stream')) requestTimes.observe({ route }, reply.elapsedTime / 1000)
    done()
  })
}

function classOf(status: number): '2xx' | '3xx' | '4xx' | '5xx' {
  if (status >= 500) return '5xx'
  if (status >= 400) return '4xx'
  return status >= 300 ? '3xx' : '2xx'
}
