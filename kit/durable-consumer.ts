import {
  AckPolicy,
  type Consumer,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  NatsError,
  nanos,
} from 'nats'
import { type Bus, traceparentOf } from './bus.ts'
import { now } from './clock.ts'
import type { ConsumerMetrics } from './service-metrics.ts'
import type { Span } from './trace.ts'

const retryMs = { first: 100, longest: 5000 }
// A batch is written this long after its first message, so that one event is not one transaction under load.
const gatherMs = 50
const largestBatch = 200

export interface BatchMessage {
  subject: string
  sequence: number
  text: string
}

export interface DurableOptions {
  stream: string
  durable: string
  /** Takes a batch, in order; when it throws, the same batch comes again until it is taken. */
  onBatch: (batch: BatchMessage[]) => Promise<void>
  metrics?: ConsumerMetrics | undefined
}

/**
 * Consumes a stream under a durable name: every message is taken at least once, in batches, and acknowledged when
 * its batch was taken. Replicas under one name share the messages. Answers how to stop.
 */
export async function consumeDurably(
  bus: Bus,
  { stream, durable, onBatch, metrics }: DurableOptions,
): Promise<() => Promise<void>> {
  await bus.manager.consumers.add(stream, {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(60_000),
    max_ack_pending: largestBatch * 5,
  })
  const consumer = await bus.jetstream.consumers.get(stream, durable)
  if (metrics !== undefined) meter(bus, consumer, metrics)
  const stopping = new AbortController()
  const messages = await consumer.consume({ max_messages: largestBatch, expires: 5000, idle_heartbeat: 1000 })
  const take = async (batch: JsMsg[]): Promise<void> =>
    await takeBatch({ bus, onBatch, metrics, stopping: stopping.signal }, batch)
  const finished = takeBatches(messages, take)
  return async () => {
    stopping.abort()
    await messages.close()
    await finished
  }
}

/** Forgets a durable name and how far it came; one that is not known is no error. */
export async function removeDurable(bus: Bus, stream: string, durable: string): Promise<void> {
  try {
    await bus.manager.consumers.delete(stream, durable)
  } catch (error) {
    if (!(error instanceof NatsError && error.jsError()?.code === 404)) throw error
  }
}

function meter(bus: Bus, consumer: Consumer, { pending, unacknowledged }: ConsumerMetrics): void {
  // Whoever asks for metrics is not kept waiting for a bus that is away.
  const ask = async () => (bus.isConnected() ? [await consumer.info()] : [])
  pending.follow(async () => (await ask()).map(({ num_pending }) => [{}, num_pending]))
  unacknowledged.follow(async () => (await ask()).map(({ num_ack_pending }) => [{}, num_ack_pending]))
}

async function takeBatches(
  messages: ConsumerMessages,
  take: (batch: JsMsg[]) => Promise<void>,
): Promise<void> {
  let gathered: JsMsg[] = []
  let taking: Promise<void> = Promise.resolve()
  let due: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(due)
    due = undefined
    const batch = gathered
    gathered = []
    taking = taking.then(async () => await take(batch))
  }
  for await (const message of messages) {
    gathered.push(message)
    if (gathered.length >= largestBatch) {
      flush()
      // The next messages are asked for only when these are taken: a slow store is not overrun.
      await taking
    } else {
      due ??= setTimeout(flush, gatherMs)
    }
  }
  if (gathered.length > 0) flush()
  await taking
}

interface Taking extends Pick<DurableOptions, 'onBatch'> {
  bus: Bus
  metrics: ConsumerMetrics | undefined
  stopping: AbortSignal
}

async function takeBatch({ bus, onBatch, metrics, stopping }: Taking, batch: JsMsg[]): Promise<void> {
  const taken = batch.map((message) => ({
    subject: message.subject,
    sequence: message.seq,
    text: message.string(),
  }))
  const spans = beginSpans(bus, batch)
  let waitMs = retryMs.first
  for (let attempts = 1; !stopping.aborted; attempts++) {
    try {
      await onBatch(taken)
      for (const message of batch) message.ack()
      for (const { span, eventId } of spans) span.end({ eventId, attempts, outcome: 'taken' })
      return
    } catch (error) {
      metrics?.failures.add({})
      bus.log.warn({ err: error, size: batch.length, waitMs }, 'batch not taken, trying again')
      for (const message of batch) message.working()
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      waitMs = Math.min(waitMs * 2, retryMs.longest)
    }
  }
}

interface BatchSpan {
  span: Span
  eventId: string
}

/** A span for each message that is traced. */
function beginSpans(bus: Bus, batch: JsMsg[]): BatchSpan[] {
  const { tracing } = bus
  if (tracing === undefined) return []
  const at = now()
  return batch.flatMap((message) => {
    const span = tracing.follow(traceparentOf(bus, message), 'event.take', 'consumer', at)
    return span === undefined ? [] : [{ span, eventId: message.headers?.get('Nats-Msg-Id') ?? '' }]
  })
}
