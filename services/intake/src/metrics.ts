import { createMetrics, type Metrics } from '@tripline/kit/telemetry/metrics'
import { declareBus, declareCrowded } from '@tripline/kit/telemetry/service-metrics'
import { refusals } from '@tripline/proto/error-code'
import { receiptProblems } from '@tripline/proto/intake-request'

const answerStatuses = [...new Set(['200', '202', 'other', ...Object.values(refusals).map(String)])]

// At 2.2 s an alert is answered without its result, at 3 s charting platforms hang up.
const answerBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.3, 2.6, 3, 10]
const stageBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1.5]

/** Intake's metrics. */
export type IntakeMetrics = ReturnType<typeof createIntakeMetrics>

/** The metrics of intake, with nothing metered yet. */
export function createIntakeMetrics() {
  const metrics = createMetrics('intake')
  return {
    metrics,
    bus: declareBus(metrics),
    crowded: declareCrowded(metrics),
    answers: metrics.counter('webhook_answers_total', 'Answers to webhooks, by HTTP status.', {
      status: answerStatuses,
    }),
    answerTimes: metrics.histogram(
      'webhook_answer_seconds',
      'From receipt to answer, by whether the caller asked to wait.',
      { wait: ['usual', 'asked'] },
      answerBuckets,
    ),
    stages: metrics.histogram(
      'intake_stage_seconds',
      'How long it took to read an alert, and then to make it durable.',
      { stage: ['read', 'store'] },
      stageBuckets,
    ),
    shed: metrics.counter(
      'alerts_shed_total',
      'Alerts refused since more came than were executed in time.',
      {},
    ),
    receipts: declareReceipts(metrics),
    receiptFaults: metrics.counter(
      'receipt_faults_total',
      'Alerts that do not match their receipts, by what is wrong.',
      { kind: ['lost', ...receiptProblems] },
    ),
    redis: metrics.gauge('redis_connected', 'Whether Redis is there: 1 or 0.', {}),
    webhooks: metrics.gauge('webhooks', 'Webhooks that are known here.', {}),
  }
}

/** The metrics of what becomes of receipts. */
function declareReceipts(metrics: Metrics) {
  return {
    waiting: metrics.gauge('receipts_waiting', 'Receipts that wait to be stored.', {}),
    dropped: metrics.counter('receipts_dropped_total', 'Receipts that are not stored, for want of room.', {}),
    open: metrics.gauge(
      'receipts_open',
      'Receipts without an end, as the last audit of this process found them: of alerts that run, or that nobody has begun for a minute.',
      { state: ['open', 'waiting'] },
    ),
    auditAge: metrics.gauge(
      'receipt_audit_age_seconds',
      'The time since receipts were last compared with the history.',
      {},
    ),
  }
}

/** The status as it is counted. */
export function answerStatusOf(status: number): string {
  return answerStatuses.includes(String(status)) ? String(status) : 'other'
}
