import { createMetrics, type Gauge, type Metrics, type Unlabeled } from '@tripline/kit/telemetry/metrics'
import { declareBus, declareDatabase } from '@tripline/kit/telemetry/service-metrics'
import { CommandStatus } from '@tripline/proto/command-result'
import { ExchangeMarket } from '@tripline/proto/exchange'
import { type StreamName, streams } from '@tripline/proto/subject'
import { readMarkets } from './venue/read/drift.ts'

const venue = ExchangeMarket.options
const streamNames = Object.keys(streams) as StreamName[]

/** The parts of an alert's way, each from the end of the one before; `to_wire` is from the receipt to the order's bytes. */
const stages = ['store', 'pick_up', 'resolve', 'send', 'acknowledge', 'to_wire'] as const
export type Stage = (typeof stages)[number]

const stageBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15,
]

/** The metrics of an executor. */
export type ExecutorMetrics = ReturnType<typeof createExecutorMetrics>

/** The metrics of an executor, with nothing metered yet. */
export function createExecutorMetrics() {
  const metrics = createMetrics('executor')
  return {
    metrics,
    bus: declareBus(metrics),
    database: declareDatabase(metrics),
    ...declareWay(metrics),
    ...declareHoldings(metrics),
    ...declareVenues(metrics),
  }
}

function declareWay(metrics: Metrics) {
  return {
    stages: metrics.histogram(
      'alert_stage_seconds',
      'How long each part of the way of an order took, by the first command of a block.',
      { stage: stages, venue },
      stageBuckets,
    ),
    commands: metrics.counter('commands_total', 'Commands that ended, by how.', {
      venue,
      status: CommandStatus.options,
    }),
    placements: metrics.counter('placements_total', 'Orders that were sent, by the answer of the venue.', {
      venue,
      outcome: ['done', 'refused', 'unknown', 'withheld'],
    }),
    laneWaits: metrics.histogram(
      'lane_wait_seconds',
      'How long blocks waited for their turn in the lane of their account and market.',
      {},
      stageBuckets,
    ),
  }
}

function declareHoldings(metrics: Metrics) {
  const gauge = (name: string, help: string): Gauge<Unlabeled> => metrics.gauge(name, help, {})
  return {
    lanesWaiting: gauge('lanes_waiting', 'Blocks that wait for their turn in a lane.'),
    alertsRunning: gauge('alerts_running', 'Alerts that run, those that wait by their own words included.'),
    alertsOutside: gauge(
      'alerts_outside',
      'Alerts in the stream for whose bodies there is no room in memory yet.',
    ),
    partitionsCareful: gauge(
      'partitions_careful',
      'Partitions that are run one alert of a user at a time, since their owners died again and again.',
    ),
    alertsStored: gauge('alerts_stored', 'Alerts that lie in the stream: they run, or wait for an executor.'),
    streamBytes: metrics.gauge('stream_bytes', 'Bytes of a stream that each server of the bus stores.', {
      stream: streamNames,
    }),
    streamRooms: metrics.gauge(
      'stream_room_bytes',
      'How much each server of the bus may store of a stream.',
      {
        stream: streamNames,
      },
    ),
    copiesBehind: metrics.gauge(
      'stream_copies_behind',
      'Copies of a stream that are away or lack messages the others have.',
      { stream: streamNames },
    ),
    oldestAlert: gauge(
      'stored_alert_age_seconds',
      'For how long the oldest alert has been in the stream; 0 without any.',
    ),
    oldestEvent: gauge(
      'stored_event_age_seconds',
      'For how long the oldest event has been in the stream; 0 without any.',
    ),
    partitionsHeld: gauge('partitions_held', 'Partitions of which this process holds the lease.'),
    partitionsUnserved: gauge(
      'partitions_unserved',
      'Partitions that nobody serves, as far as this process sees.',
    ),
    rolledBack: gauge(
      'bus_rolled_back',
      'Whether the bus was found in the last hour to lack what it had stored: 1 or 0.',
    ),
    watches: gauge('watches', 'Groups of orders that are watched, so that one ends the others.'),
    barePositions: metrics.gauge(
      'watches_without_stop',
      'Stops that were ordered for a position and are not at the exchange, by whether the position is open.',
      { position: ['open', 'unknown'] },
    ),
    unknownOrders: gauge('unknown_orders', 'Commands with an order whose result the venue does not report.'),
    unknownAge: gauge(
      'unknown_order_age_seconds',
      'For how long the oldest of them has been unknown; 0 without any.',
    ),
    bots: metrics.gauge('bots', 'Bots of the partitions held, by whether their client is open.', {
      state: ['open', 'opening'],
    }),
  }
}

function declareVenues(metrics: Metrics) {
  return {
    clocks: metrics.gauge(
      'venue_clock_ahead_seconds',
      "By how much the venue's clock is ahead of ours, as last measured.",
      { site: 'few' },
    ),
    bans: metrics.gauge('venue_banned', 'Whether the venue refuses all requests from our address: 1 or 0.', {
      site: 'few',
    }),
    budgets: metrics.gauge(
      'venue_budget_left',
      'The share that is left of the requests the venue allows our address.',
      {
        site: 'few',
      },
    ),
    accountBudgets: metrics.gauge(
      'venue_account_budget_left',
      'The least share that any account had left of the orders the venue allows it, in the last minute or two.',
      { site: 'few' },
    ),
    drifts: metrics.counter(
      'venue_drifts_total',
      'Fields that a venue sent and that were new or could not be read.',
      { venue: readMarkets, call: 'few', field: 'few' },
    ),
  }
}
