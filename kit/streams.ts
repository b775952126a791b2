import { type BucketName, buckets, type StreamName, streams } from '@tripline/proto/subject'
import { DiscardPolicy, nanos, RetentionPolicy, StorageType, type StreamConfig } from 'nats'
import type { Bus } from './bus.ts'

/** Creates every stream and bucket that is missing and brings the others to their present settings. */
export async function ensureStreams(bus: Bus, { replicas }: { replicas: number }): Promise<void> {
  for (const name of Object.keys(streams) as StreamName[]) {
    const config = { ...streamConfig(name), num_replicas: replicas }
    const exists = await bus.manager.streams.info(name).catch(() => undefined)
    if (exists) await bus.manager.streams.update(name, config)
    else await bus.manager.streams.add(config)
  }
  for (const name of Object.keys(buckets) as BucketName[]) await ensureBucket(bus, name, replicas)
}

async function ensureBucket(bus: Bus, name: BucketName, replicas: number): Promise<void> {
  const { history, maxAgeMs } = buckets[name]
  const storage = StorageType.File
  await bus.jetstream.views.kv(name, { history, ttl: maxAgeMs, replicas, storage })
  // The library leaves a bucket that exists as it is.
  const { config } = await bus.manager.streams.info(`KV_${name}`)
  const wanted = { max_age: nanos(maxAgeMs), num_replicas: replicas }
  if (config.max_age !== wanted.max_age || config.num_replicas !== wanted.num_replicas)
    await bus.manager.streams.update(`KV_${name}`, wanted)
}

/** Throws when the server holds the stream with other settings than ours: old servers ignore what they do not know. */
export async function verifyStream(bus: Bus, name: StreamName): Promise<void> {
  const wanted = streamConfig(name)
  const { config } = await bus.manager.streams.info(name)
  for (const [setting, value] of Object.entries(wanted)) {
    // The server leaves out what is false.
    const held = config[setting as keyof StreamConfig] ?? false
    if (JSON.stringify(held) !== JSON.stringify(value)) {
      throw new Error(
        `Stream ${name} has ${setting} ${JSON.stringify(held)}, expected ${JSON.stringify(value)}`,
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
