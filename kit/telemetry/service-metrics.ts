import type { Counter, Gauge, Histogram, Metrics, Unlabeled } from './metrics.ts'

const answerBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const answerLabels = { subject: 'few', outcome: ['answered', 'refused', 'failed'] } as const

/** Metrics of a connection to the bus. */
export interface BusMetrics {
  connected: Gauge<Unlabeled>
  roundTrip: Gauge<Unlabeled>
  refusing: Gauge<{ stream: 'few' }>
  failures: Counter<{ subscription: 'few' }>
  answers: Histogram<typeof answerLabels>
}

/** Declares the metrics of a process on the bus. */
export function declareBus(metrics: Metrics): BusMetrics {
  return {
    connected: metrics.gauge('bus_connected', 'Whether the process is connected to the bus: 1 or 0.', {}),
    roundTrip: metrics.gauge(
      'bus_round_trip',
      'Whether messages of the process to itself by way of the bus come back: 1 or 0.',
      {},
    ),
    refusing: metrics.gauge(
      'stream_refuses_writes',
      'Streams and buckets that refused the last write of the process: 1.',
      { stream: 'few' },
    ),
    failures: metrics.counter(
      'bus_message_failures_total',
      'Messages of the bus that could not be handled and were left out, by subscription.',
      { subscription: 'few' },
    ),
    answers: metrics.histogram(
      'bus_answer_seconds',
      'How long requests of other services took to answer, by subject.',
      answerLabels,
      answerBuckets,
    ),
  }
}

const crowdedLabels = { of: ['requests', 'streams'] } as const

/** Declares what is metered of callers that have too much open at a time. */
export function declareCrowded(metrics: Metrics): Counter<typeof crowdedLabels> {
  return metrics.counter(
    'crowded_total',
    'Requests and live streams that were refused, since too many of one caller or address were open.',
    crowdedLabels,
  )
}

/** Metrics of a durable consumer. */
export interface ConsumerMetrics {
  pending: Gauge<Unlabeled>
  unacknowledged: Gauge<Unlabeled>
  failures: Counter<Unlabeled>
}

/** Declares the metrics of a process that consumes a stream under a durable name. */
export function declareConsumer(metrics: Metrics): ConsumerMetrics {
  return {
    pending: metrics.gauge('consumer_pending', 'Messages that no replica has been sent yet.', {}),
    unacknowledged: metrics.gauge(
      'consumer_unacknowledged',
      'Messages that a replica has been sent and has not taken yet.',
      {},
    ),
    failures: metrics.counter(
      'consumer_failures_total',
      'Batches that could not be taken, and are tried again.',
      {},
    ),
  }
}

/** Declares whether the database answers. */
export function declareDatabase(metrics: Metrics): Gauge<Unlabeled> {
  return metrics.gauge('database_up', 'Whether the database answers: 1 or 0.', {})
}
