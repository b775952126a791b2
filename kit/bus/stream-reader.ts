import { inboxPrefix } from '@tripline/proto/permission'
import {
  AckPolicy,
  type ConsumerConfig,
  createInbox,
  DeliverPolicy,
  isFlowControlMsg,
  isHeartbeatMsg,
  type Msg,
  nanos,
  type Subscription,
} from 'nats'
import { steadyNow } from '../time/clock.ts'
import { type Bus, traceparentOf } from './bus.ts'
import { guard } from './guard.ts'
import type { SeenMessage } from './known-ends.ts'
import { lastMessage } from './last-message.ts'
import { confirmedEnd, isReplaced } from './stream-end.ts'

const heartbeatMs = 2000
// Two missed heartbeats and some slack: the consumer is gone, or the connection is.
const silenceMs = 5000
const retryMs = 250
/** The server keeps a consumer that nobody listens to for this long: a reader of long comes back to it. */
const inactiveMs = 30_000
/** One that reads once has no use for it; the server holds no more than 1,000 of a stream. */
const inactiveOnceMs = 1000

/** A message of a stream, in the order of the stream. */
export interface StreamMessage {
  subject: string
  sequence: number
  /** When the server stored it, by its clock, in ms since the epoch. */
  storedAt: number
  text: string
  /** True for a deletion marker of a bucket. */
  isDeletion: boolean
  /** From where it goes on, where it is traced. */
  traceparent: string | undefined
}

/** The start of reading; `at` is wall time in ms. */
export type StartAt =
  | { from: 'sequence'; sequence: number }
  | { from: 'new' }
  | { from: 'lastPerSubject' }
  | { from: 'time'; at: number }

export interface ReadOptions {
  stream: string
  filter: string
  start: StartAt
  onMessage: (message: StreamMessage) => void
  /** Called once all that the stream's leader held when reading began has been read, or is gone. */
  onCaughtUp?: () => void
  /** Settles once it may be opened: over a new connection the stream may be another one than was read. */
  untilTrusted?: () => Promise<void>
  /** Called before the stream is read again, as it has lost its end: what is left reaches up to this sequence. */
  onLostEnd?: (newest: number) => void
  /** Messages are read once. */
  isOnce?: boolean
  /** Returns the labels of a consumer that is opened now; none has any once the stream has lost its end. */
  labels?: () => Record<string, string> | undefined
}

export interface StreamReader {
  stop: () => void
}

/** A reader that can be made to read again what it has read. */
export interface RepeatableReader extends StreamReader {
  /** Reads the stream from the start again: it holds again what was gone from it. */
  readAgain: () => void
}

/**
 * Reads a stream in order without acknowledgements, for ever: after a lost connection, a missed heartbeat or a gap it
 * opens again right behind the last message, or from its start where the stream has lost its end. A message that cannot
 * be handled is left out. Resolves once it reads for the first time.
 */
export async function readStream(bus: Bus, options: ReadOptions): Promise<RepeatableReader> {
  const { stream } = options
  // The server reads for us from any copy of the stream, which may lag: how far there is to read, its leader says.
  let goal = options.onCaughtUp && (await lastToDeliver(bus, options))
  let lastSequence = 0
  let lastStoredAt = 0
  let hasLostEnd = false
  let isToReadAgain = false
  let stopped = false
  let current: OpenConsumer | undefined
  let reopening: Promise<void> | undefined

  const startAt = (): StartAt =>
    lastSequence === 0 ? options.start : { from: 'sequence', sequence: lastSequence + 1 }
  const deliver = ({ sequence, subject, storedAt }: Delivery, read: () => StreamMessage): void => {
    bus.ends.note(stream, sequence, storedAt)
    if (sequence <= lastSequence) return
    lastSequence = sequence
    lastStoredAt = storedAt
    guard(bus, { subscription: stream, subject, sequence }, () => options.onMessage(read()))
    reach(sequence)
  }
  const reach = (sequence: number): void => {
    if (goal === undefined || sequence < goal) return
    goal = undefined
    guard(bus, { subscription: stream, sequence }, () => options.onCaughtUp?.())
  }
  const idle = (sequence: number): void => {
    reach(sequence)
    // Another consumer may lie at a copy that does not lag.
    if (goal !== undefined && options.isOnce) reopen()
  }
  /** The newest sequence of a stream that has lost its end, behind which others may have come meanwhile. */
  const lostEnd = async (): Promise<number | undefined> => {
    if (lastSequence === 0) return undefined
    const seen: SeenMessage = { sequence: lastSequence, storedAt: lastStoredAt }
    const { sequence } = await confirmedEnd(bus, stream, seen.sequence)
    return sequence < seen.sequence || (await isReplaced(bus, stream, seen)) ? sequence : undefined
  }
  const open = async (): Promise<void> => {
    current?.close()
    await options.untilTrusted?.()
    const newest = isToReadAgain ? undefined : await lostEnd()
    if (newest !== undefined && !isToReadAgain) {
      bus.log.warn({ stream, lastSequence, newest }, 'the stream has lost its end, it is read again')
      guard(bus, { subscription: stream, sequence: newest }, () => options.onLostEnd?.(newest))
      lastSequence = 0
      hasLostEnd = true
    }
    if (isToReadAgain) {
      lastSequence = 0
      hasLostEnd = true
      isToReadAgain = false
    }
    const unlabelled = { ...options, labels: undefined }
    const opened = await openConsumer(bus, hasLostEnd ? unlabelled : options, startAt(), {
      deliver,
      idle,
      onGap: reopen,
    })
    if (stopped) opened.close()
    else current = opened
  }
  const reopen = (): void => {
    if (stopped || reopening !== undefined) return
    reopening = reopenUntilItReads().finally(() => {
      reopening = undefined
      if (isToReadAgain) reopen()
    })
  }
  const reopenUntilItReads = async (): Promise<void> => {
    while (!stopped) {
      try {
        if (bus.isConnected()) return await open()
      } catch (error) {
        bus.log.warn({ err: error, stream, filter: options.filter }, 'could not read the stream')
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }

  await open()
  reach(lastSequence)
  const silence = setInterval(() => {
    if (current !== undefined && steadyNow() - current.lastReceivedAt() > silenceMs) reopen()
  }, 1000)
  const forget = bus.onConnection((connected) => connected && reopen())
  return {
    readAgain: () => {
      isToReadAgain = true
      reopen()
    },
    stop: () => {
      stopped = true
      clearInterval(silence)
      forget()
      current?.close()
    },
  }
}

/** Reads everything that lies in the stream now, from the start on, in order; settles once all of it was read. */
export async function readOnce(
  bus: Bus,
  options: Omit<ReadOptions, 'onMessage' | 'onCaughtUp' | 'isOnce'>,
  onMessage: (message: StreamMessage) => void,
): Promise<void> {
  const caughtUp = Promise.withResolvers<void>()
  const reader = await readStream(bus, { ...options, isOnce: true, onMessage, onCaughtUp: caughtUp.resolve })
  await caughtUp.promise
  reader.stop()
}

/** Everything that lies in the stream now, from the start on, in order. */
export async function readStored(
  bus: Bus,
  options: Omit<ReadOptions, 'onMessage' | 'onCaughtUp' | 'isOnce'>,
): Promise<StreamMessage[]> {
  const messages: StreamMessage[] = []
  await readOnce(bus, options, (message) => void messages.push(message))
  return messages
}

/** Returns the sequence of the newest message that a reader has to deliver, 0 if there is none. */
async function lastToDeliver(bus: Bus, { stream, filter, start }: ReadOptions): Promise<number> {
  if (start.from === 'new') return 0
  const message = await lastMessage(bus.manager.streams, stream, filter)
  if (message === undefined) return 0
  if (start.from === 'sequence' && message.seq < start.sequence) return 0
  if (start.from === 'time' && message.time.getTime() < Math.trunc(start.at)) return 0
  return message.seq
}

/** The place of a message, whose text is read only by its listener. */
type Delivery = Pick<StreamMessage, 'subject' | 'sequence' | 'storedAt'>

/** Callbacks of a consumer. */
interface Listeners {
  deliver: (delivery: Delivery, read: () => StreamMessage) => void
  /** There is nothing to send; what lies up to this sequence in the copy it reads is delivered or gone. */
  idle: (sequence: number) => void
  onGap: () => void
}

interface OpenConsumer {
  lastReceivedAt: () => number
  close: () => void
}

/** Options of one consumer. */
type ConsumerOptions = Pick<ReadOptions, 'stream' | 'filter' | 'isOnce'> & {
  labels?: ReadOptions['labels'] | undefined
}

async function openConsumer(
  bus: Bus,
  { stream, filter, isOnce = false, labels }: ConsumerOptions,
  start: StartAt,
  { deliver, idle, onGap }: Listeners,
): Promise<OpenConsumer> {
  const inbox = createInbox(inboxPrefix(bus.user))
  let receivedAt = steadyNow()
  let delivered = 0
  const subscription: Subscription = bus.connection.subscribe(inbox, {
    callback: (error, message) => {
      if (error) return onGap()
      receivedAt = steadyNow()
      // A heartbeat counts as flow control to the library too.
      if (isHeartbeatMsg(message)) return checkHeartbeat(message)
      if (isFlowControlMsg(message)) return void message.respond()
      const { subject } = message
      const { delivered: count, ...position } = positionOf(message)
      if (count !== delivered + 1) return onGap()
      delivered = count
      deliver({ subject, ...position }, () => ({
        subject,
        text: message.string(),
        isDeletion: isDeletion(message),
        traceparent: traceparentOf(bus, message),
        ...position,
      }))
    },
  })
  const checkHeartbeat = (message: Msg): void => {
    const stalled = message.headers?.get('Nats-Consumer-Stalled')
    if (stalled) bus.connection.publish(stalled)
    if (Number(message.headers?.get('Nats-Last-Consumer')) !== delivered) onGap()
    // It comes when there is nothing to send, or where what was sent is not taken up.
    else if (!stalled) idle(Number(message.headers?.get('Nats-Last-Stream')))
  }
  try {
    const metadata = labels?.()
    const config = consumerConfig(inbox, filter, start, isOnce)
    await bus.manager.consumers.add(stream, metadata === undefined ? config : { ...config, metadata })
    return {
      lastReceivedAt: () => receivedAt,
      close: () => subscription.unsubscribe(),
    }
  } catch (error) {
    subscription.unsubscribe()
    throw error
  }
}

function consumerConfig(
  inbox: string,
  filter: string,
  start: StartAt,
  isOnce: boolean,
): Partial<ConsumerConfig> {
  return {
    deliver_subject: inbox,
    filter_subject: filter,
    ack_policy: AckPolicy.None,
    mem_storage: true,
    num_replicas: 1,
    idle_heartbeat: nanos(heartbeatMs),
    flow_control: true,
    inactive_threshold: nanos(isOnce ? inactiveOnceMs : inactiveMs),
    ...deliverPolicy(start),
  }
}

function deliverPolicy(
  start: StartAt,
): Pick<ConsumerConfig, 'deliver_policy' | 'opt_start_seq' | 'opt_start_time'> {
  switch (start.from) {
    case 'new':
      return { deliver_policy: DeliverPolicy.New }
    case 'lastPerSubject':
      return { deliver_policy: DeliverPolicy.LastPerSubject }
    case 'sequence':
      return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start.sequence }
    case 'time':
      return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(start.at).toISOString() }
  }
}

// `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream sequence>.<consumer sequence>.<time>.<pending>`; servers with
// domains put domain and account in front, so the places are counted from the end where that form is used.
export function positionOf(message: Msg): { sequence: number; delivered: number; storedAt: number } {
  const tokens = message.reply?.split('.') ?? []
  const offset = tokens.length >= 11 ? 2 : 0
  return {
    sequence: Number(tokens[5 + offset]),
    delivered: Number(tokens[6 + offset]),
    storedAt: Number(tokens[7 + offset]) / 1e6,
  }
}

/** True for the mark of a key that was taken away. */
export function isDeletion(message: Pick<Msg, 'headers'>): boolean {
  const operation = message.headers?.get('KV-Operation')
  return operation === 'DEL' || operation === 'PURGE'
}
