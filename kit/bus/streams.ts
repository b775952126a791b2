import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BucketName,
  buckets,
  type DurableName,
  durables,
  type StreamName,
  storedPrefix,
  streams,
} from '@tripline/proto/subject'
import {
  AckPolicy,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  DiscardPolicy,
  NatsError,
  nanos,
  type Republish,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from 'nats'
import { now, steadyNow } from '../time/clock.ts'
import { StreamRefusal } from './acknowledged-publish.ts'
import type { Bus } from './bus.ts'
import { lastSequence } from './stream-end.ts'

/** Settings of streams and buckets on the servers at hand. */
export interface StreamSettings {
  replicas: number
  /** The room of those that have another one than is usual, in bytes. */
  maxBytes?: Partial<Record<StreamName | BucketName, number>>
}

/** Creates every stream, bucket and durable consumer that is missing and brings the others to their present settings. */
export async function ensureStreams(bus: Bus, { replicas, maxBytes = {} }: StreamSettings): Promise<void> {
  for (const name of Object.keys(streams) as StreamName[]) {
    const room = maxBytes[name] ?? streams[name].maxBytes
    const config = { ...streamConfig(name), ...republishOf(name), num_replicas: replicas, max_bytes: room }
    const exists = await bus.manager.streams.info(name).catch(() => undefined)
    await inRoom(name, room, async () => {
      if (exists) await bus.manager.streams.update(name, config)
      else await bus.manager.streams.add(config)
    })
  }
  for (const name of Object.keys(buckets) as BucketName[]) {
    const room = maxBytes[name] ?? buckets[name].maxBytes
    await inRoom(name, room, async () => await ensureBucket(bus, name, replicas, room))
  }
  for (const name of Object.keys(durables) as DurableName[]) await ensureDurable(bus, name)
}

/** Has stored events published again, for processes that only follow them; alerts are for their owners alone. */
function republishOf(name: StreamName): { republish?: Republish } {
  if (name === 'ALERTS') return {}
  const [src = ''] = streams[name].subjects
  return { republish: { src, dest: `${storedPrefix(name)}.{{wildcard(1)}}.{{wildcard(2)}}` } }
}

/** The time a batch may take, and the messages that may be taken at a time. */
const takeMs = 20_000
const mostUnacknowledged = 400

/**
 * Makes a durable consumer that delivers to one place; it begins where its former one is, if there is one. That stays as
 * it is: a process of the version before, which may come back, takes no other.
 */
async function ensureDurable(bus: Bus, name: DurableName): Promise<void> {
  const { stream, deliverTo, former } = durables[name]
  const { consumers } = bus.manager
  const present = await consumers.info(stream, name).catch(() => undefined)
  const isLost = present !== undefined && (await isAhead(bus, stream, present))
  if (present !== undefined && !isLost) return
  if (isLost) await consumers.delete(stream, name)
  const before = await consumers.info(stream, former).catch(() => undefined)
  await consumers.add(stream, {
    durable_name: name,
    deliver_subject: deliverTo,
    deliver_group: name,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(takeMs),
    max_ack_pending: mostUnacknowledged,
    ...(isLost ? fromTime(now() - takenAgainMs) : fromFormer(before)),
  })
}

type StartPolicy = Pick<ConsumerConfig, 'deliver_policy' | 'opt_start_seq' | 'opt_start_time'>

/** So much is taken again where a stream has lost its end: what came behind that was not delivered. */
const takenAgainMs = 3_600_000

function fromTime(at: number): StartPolicy {
  return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(at).toISOString() }
}

function fromFormer(former: ConsumerInfo | undefined): StartPolicy {
  if (former === undefined) return { deliver_policy: DeliverPolicy.All }
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: former.ack_floor.stream_seq + 1 }
}

/**
 * True for a consumer that has delivered more than its stream has: that has lost its end, and older servers deliver nothing
 * until it has come as far again.
 */
export async function isAhead(bus: Bus, stream: string, { delivered }: ConsumerInfo): Promise<boolean> {
  return delivered.stream_seq > (await lastSequence(bus, stream))
}

/** JetStream's code for a cluster of which no server has the room that is asked for. */
const noSuitablePeers = 10_005
/** Servers of a cluster report to each other how much they have left every few seconds. */
const placedWithinMs = 45_000
const placeAgainMs = 1000

/** The result of what takes room on servers of a cluster, once they know of the room that was given up just before. */
export async function withPlacement<Value>(act: () => Promise<Value>): Promise<Value> {
  const deadline = steadyNow() + placedWithinMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (jetStreamCode(error) !== noSuitablePeers || steadyNow() > deadline) throw error
      await sleep(placeAgainMs)
    }
  }
}

function jetStreamCode(error: unknown): number | undefined {
  if (error instanceof StreamRefusal) return error.code
  return error instanceof NatsError ? error.jsError()?.err_code : undefined
}

const insufficientStorage = 10_047

async function inRoom(name: string, bytes: number, act: () => Promise<void>): Promise<void> {
  try {
    await withPlacement(act)
  } catch (error) {
    if (![insufficientStorage, noSuitablePeers].includes(jetStreamCode(error) ?? 0)) throw error
    const mebibytes = Math.ceil(bytes / 1024 ** 2)
    throw new Error(
      `The bus has no room for ${name}, which is to have ${mebibytes} MiB of its own: raise max_file_store of the ` +
        'NATS server, or lower ALERTS_MAX_BYTES and EVENTS_MAX_BYTES',
      { cause: error },
    )
  }
}

async function ensureBucket(bus: Bus, name: BucketName, replicas: number, room: number): Promise<void> {
  const { history, maxAgeMs } = buckets[name]
  const storage = StorageType.File
  const republish = { src: `$KV.${name}.>`, dest: `${storedPrefix(name)}.>` }
  await bus.jetstream.views.kv(name, {
    history,
    ttl: maxAgeMs,
    replicas,
    storage,
    max_bytes: room,
    republish,
  })
  // The library leaves a bucket that exists as it is.
  const { config } = await bus.manager.streams.info(`KV_${name}`)
  const wanted = { max_age: nanos(maxAgeMs), num_replicas: replicas, max_bytes: room }
  const isWanted =
    config.republish?.dest === republish.dest &&
    Object.entries(wanted).every(([key, value]) => config[key as keyof typeof wanted] === value)
  if (!isWanted) await bus.manager.streams.update(`KV_${name}`, { ...wanted, republish })
}

/** Throws when the server holds the stream with other settings than ours: old servers ignore what they do not know. */
export async function verifyStream(bus: Bus, name: StreamName): Promise<void> {
  const wanted = streamConfig(name)
  const { config } = await bus.manager.streams.info(name)
  // Its size is the operator's choice, but without a limit of its own another stream could take all the room.
  if (config.max_bytes <= 0) throw new Error(`Stream ${name} has no max_bytes, so it has no room of its own`)
  for (const [setting, value] of Object.entries(wanted)) {
    // The server leaves out what is false.
    const actual = config[setting as keyof StreamConfig] ?? false
    if (JSON.stringify(actual) !== JSON.stringify(value)) {
      throw new Error(
        `Stream ${name} has ${setting} ${JSON.stringify(actual)}, expected ${JSON.stringify(value)}`,
      )
    }
  }
}

type OurStreamConfig = Pick<
  StreamConfig,
  | 'name'
  | 'subjects'
  | 'retention'
  | 'storage'
  | 'discard'
  | 'max_age'
  | 'max_msgs_per_subject'
  | 'discard_new_per_subject'
  | 'duplicate_window'
>

function streamConfig(name: StreamName): OurStreamConfig {
  const { subjects, discard, maxAgeMs, maxMessagesPerSubject, discardNewPerSubject, duplicateWindowMs } =
    streams[name]
  return {
    name,
    subjects: [...subjects],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: discard === 'new' ? DiscardPolicy.New : DiscardPolicy.Old,
    max_age: nanos(maxAgeMs),
    max_msgs_per_subject: maxMessagesPerSubject,
    discard_new_per_subject: discardNewPerSubject,
    duplicate_window: nanos(duplicateWindowMs),
  }
}
