import { type DurableName, durables } from '@tripline/proto/subject'
import { type ConsumerInfo, type Msg, NatsError } from 'nats'
import type { ConsumerMetrics } from '../telemetry/service-metrics.ts'
import type { Span } from '../telemetry/trace.ts'
import { now, steadyNow } from '../time/clock.ts'
import { type Bus, traceparentOf } from './bus.ts'
import { lastSequence } from './stream-end.ts'
import { positionOf } from './stream-reader.ts'
import { isAhead } from './streams.ts'

const retryMs = { first: 100, longest: 5000 }
/** A consumer that fails for this long cannot do its duty. */
const stuckMs = 5000
/**
 * The interval at which it is asked whether the consumer is still there, and the number of answers in a row that it is
 * not which are believed.
 */
const lookMs = 5000
const missesBelieved = 2
/** JetStream's codes for a consumer, and for a stream, that is not there. */
const notThere: readonly unknown[] = [10_014, 10_059]
// A batch is written this long after its first message: most of what one costs a database is the same for any number.
const gatherMs = 100
const largestBatch = 200

export interface BatchMessage {
  subject: string
  sequence: number
  text: string
}

export interface DurableOptions {
  durable: DurableName
  /** Takes a batch, in order; when it throws, the same batch comes again until it is taken. */
  onBatch: (batch: BatchMessage[]) => Promise<void>
  metrics?: ConsumerMetrics | undefined
}

/** The progress of a consumer through its stream. */
export interface ConsumerProgress {
  /** The number of stored messages that are not acknowledged yet. */
  pending: number
  /** The sequence of the newest message that is stored, and up to which all are acknowledged. */
  storedUntil: number
  takenUntil: number
}

/** A stream that is consumed. */
export interface DurableConsumer {
  /** True while a batch could not be taken for long, or the consumer is gone: nothing that comes is taken. */
  isStuck: () => boolean
  /** Returns how far it has come; throws where the bus does not answer. */
  progress: () => Promise<ConsumerProgress>
  stop: () => Promise<void>
}

/**
 * Consumes a stream under a durable name, which setup made: every message is taken at least once, in batches, and
 * acknowledged when its batch was taken. Replicas under one name share the messages.
 */
export async function consumeDurably(
  bus: Bus,
  { durable, onBatch, metrics }: DurableOptions,
): Promise<DurableConsumer> {
  const { stream, deliverTo } = durables[durable]
  const info = async () => await bus.manager.consumers.info(stream, durable)
  await info()
  if (metrics !== undefined) meter(bus, info, metrics)
  const presence = watchPresence(bus, durable, info)
  const stopping = new AbortController()
  let failingSince: number | undefined
  const note = (isTaken: boolean): void => {
    failingSince = isTaken ? undefined : (failingSince ?? steadyNow())
  }
  const batches = gatherBatches(
    async (batch) => await takeBatch({ bus, onBatch, metrics, note, stopping: stopping.signal }, batch),
  )
  const subscription = bus.connection.subscribe(deliverTo, {
    queue: durable,
    callback: (error, message) => {
      if (error) return bus.log.error({ err: error, stream }, 'could not consume')
      batches.add(message)
    },
  })
  return {
    isStuck: () => presence.isGone() || (failingSince !== undefined && steadyNow() - failingSince > stuckMs),
    progress: async () => {
      const storedUntil = await lastSequence(bus, stream)
      const { num_pending, num_ack_pending, ack_floor } = await info()
      const pending = num_pending + num_ack_pending
      return { pending, storedUntil, takenUntil: pending === 0 ? storedUntil : ack_floor.stream_seq }
    },
    stop: async () => {
      stopping.abort()
      presence.stop()
      subscription.unsubscribe()
      await batches.end()
    },
  }
}

/**
 * Looks whether the consumer is still there, and not ahead of its stream: else nothing comes any more, and no error says
 * so.
 */
function watchPresence(
  bus: Bus,
  durable: DurableName,
  info: () => Promise<ConsumerInfo>,
): { isGone: () => boolean; stop: () => void } {
  const { stream } = durables[durable]
  let misses = 0
  const note = (lack: string | undefined): void => {
    misses = lack === undefined ? 0 : misses + 1
    if (misses === missesBelieved) bus.log.error({ durable }, `the consumer ${lack}: setup makes it again`)
  }
  const look = async (): Promise<void> => {
    try {
      const lack = (await isAhead(bus, stream, await info()))
        ? 'is ahead of a stream that lost its end'
        : undefined
      note(lack)
    } catch (error) {
      // A bus that does not answer says nothing of the consumer.
      if (isNotThere(error)) note('is gone')
    }
  }
  const looking = setInterval(() => void look(), lookMs).unref()
  return { isGone: () => misses >= missesBelieved, stop: () => clearInterval(looking) }
}

function isNotThere(error: unknown): boolean {
  return error instanceof NatsError && notThere.includes(error.jsError()?.err_code)
}

function meter(
  bus: Bus,
  info: () => Promise<ConsumerInfo>,
  { pending, unacknowledged }: ConsumerMetrics,
): void {
  // A reader of metrics does not wait for a bus that is away.
  const ask = async () => (bus.isConnected() ? [await info()] : [])
  pending.follow(async () => (await ask()).map(({ num_pending }) => [{}, num_pending]))
  unacknowledged.follow(async () => (await ask()).map(({ num_ack_pending }) => [{}, num_ack_pending]))
}

interface Batches {
  add: (message: Msg) => void
  /** Settles once the batch that is being taken is, or is given up; the others come again. */
  end: () => Promise<void>
}

/** Gathers messages and has them taken, one batch after the other; the server sends no more than some batches ahead. */
function gatherBatches(take: (batch: Msg[]) => Promise<void>): Batches {
  let gathered: Msg[] = []
  let taking: Promise<void> = Promise.resolve()
  let due: NodeJS.Timeout | undefined
  // Messages that wait here for long are sent again by the server.
  const waiting = new Set<number>()
  const takeWaiting = async (batch: Msg[]): Promise<void> => {
    await take(batch)
    for (const message of batch) waiting.delete(positionOf(message).sequence)
  }
  const flush = (): void => {
    clearTimeout(due)
    due = undefined
    const batch = gathered
    gathered = []
    if (batch.length > 0) taking = taking.then(async () => await takeWaiting(batch))
  }
  return {
    add: (message) => {
      const { sequence } = positionOf(message)
      if (waiting.has(sequence)) return
      waiting.add(sequence)
      gathered.push(message)
      if (gathered.length >= largestBatch) flush()
      else due ??= setTimeout(flush, gatherMs)
    },
    end: async () => {
      flush()
      await taking
    },
  }
}

interface Taking extends Pick<DurableOptions, 'onBatch'> {
  bus: Bus
  metrics: ConsumerMetrics | undefined
  /** Notes whether a batch could be taken. */
  note: (isTaken: boolean) => void
  stopping: AbortSignal
}

async function takeBatch({ bus, onBatch, metrics, note, stopping }: Taking, batch: Msg[]): Promise<void> {
  const taken = batch.map((message) => ({
    subject: message.subject,
    sequence: positionOf(message).sequence,
    text: message.string(),
  }))
  const spans = beginSpans(bus, batch)
  let waitMs = retryMs.first
  for (let attempts = 1; !stopping.aborted; attempts++) {
    try {
      await onBatch(taken)
      note(true)
      for (const message of batch) message.respond('+ACK')
      for (const { span, eventId } of spans) span.end({ eventId, attempts, outcome: 'taken' })
      return
    } catch (error) {
      note(false)
      metrics?.failures.add({})
      bus.log.warn({ err: error, size: batch.length, waitMs }, 'batch not taken, trying again')
      for (const message of batch) message.respond('+WPI')
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      waitMs = Math.min(waitMs * 2, retryMs.longest)
    }
  }
  // Another replica, or who comes next, need not wait for it.
  for (const message of batch) message.respond('-NAK')
}

interface BatchSpan {
  span: Span
  eventId: string
}

/** A span for each message that is traced. */
function beginSpans(bus: Bus, batch: Msg[]): BatchSpan[] {
  const { tracing } = bus
  if (tracing === undefined) return []
  const at = now()
  return batch.flatMap((message) => {
    const span = tracing.follow(traceparentOf(bus, message), 'event.take', 'consumer', at)
    return span === undefined ? [] : [{ span, eventId: message.headers?.get('Nats-Msg-Id') ?? '' }]
  })
}
