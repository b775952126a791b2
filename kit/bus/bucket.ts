import type { BucketName } from '@tripline/proto/subject'
import type { StreamAPI } from 'nats'
import { type Stored, StreamRefusal } from './acknowledged-publish.ts'
import { type Bus, deleteMessage, streamExtent } from './bus.ts'
import { lastMessage } from './last-message.ts'
import { messagesOf, readPart } from './stored-messages.ts'
import { followStream } from './stream-follower.ts'
import type { StreamMessage } from './stream-reader.ts'

/** A value of a bucket with the revision that a compare-and-set names. */
export interface Entry {
  text: string
  revision: number
}

/** A key-value bucket of the bus; values are text (JSON). */
export interface Bucket {
  get: (key: string) => Promise<Entry | undefined>
  put: (key: string, text: string) => Promise<number>
  /** Writes only if the key still has this revision (0: is absent); returns the new one, or undefined if it lost. */
  putIf: (key: string, text: string, revision: number) => Promise<number | undefined>
  /** Takes the key away, only at this revision if one is named; watchers receive a mark of it, which stays. */
  remove: (key: string, revision?: number) => Promise<void>
  /**
   * Takes the key, or the mark of it, away with nothing left, for keys that never come again; watchers receive nothing.
   */
  erase: (key: string) => Promise<void>
}

/** A change of a key; `text` is undefined when the key was deleted. */
export interface BucketChange {
  key: string
  text: string | undefined
  revision: number
  /** When the server stored it, by its clock, in ms since the epoch. */
  storedAt: number
}

/** Opens a bucket that exists. An act whose answer takes longer than this throws, and may have been done all the same. */
export async function openBucket(
  bus: Bus,
  name: BucketName,
  timeoutMs = bus.patience.bucketMs,
): Promise<Bucket> {
  const kv = await bus.connection
    .jetstream({ timeout: timeoutMs, checkAPI: false })
    .views.kv(name, { bindOnly: true })
  const { streams } = await bus.connection.jetstreamManager({ timeout: timeoutMs, checkAPI: false })
  const write = createWrite(bus, name, timeoutMs)
  const get = async (key: string): Promise<Entry | undefined> => await getEntry(streams, name, key)
  return {
    get,
    put: async (key, text) => (await write(key, text)).sequence,
    putIf: async (key, text, revision) => {
      const mine = await writeOver(write, key, text, revision)
      if (mine !== undefined || revision !== 0) return mine
      const last = await lastMessage(streams, `KV_${name}`, `$KV.${name}.${key}`)
      // The mark of a deletion lies where nothing else does.
      return last?.header.has(operationHeader) ? await writeOver(write, key, text, last.seq) : undefined
    },
    remove: async (key, revision) =>
      await kv.delete(key, revision === undefined ? {} : { previousSeq: revision }),
    erase: async (key) => {
      const last = await lastMessage(streams, `KV_${name}`, `$KV.${name}.${key}`)
      if (last !== undefined) await deleteMessage(bus, `KV_${name}`, last.seq)
    },
  }
}

/**
 * Reads every key of a bucket and then each change, in order without end. Resolves with an unsubscribe function, once
 * all that the bucket held has been read.
 */
export async function watchBucket(
  bus: Bus,
  name: BucketName,
  onChange: (change: BucketChange) => void,
): Promise<() => void> {
  const reader = await followStream(bus, {
    name,
    stream: `KV_${name}`,
    filter: `${prefixOf(name)}>`,
    from: 1,
    onMessage: (message) => onChange(changeOf(name, message)),
  })
  return reader.stop
}

/** Everything that lies in a bucket now. */
export async function readBucket(bus: Bus, name: BucketName): Promise<BucketChange[]> {
  const stream = `KV_${name}`
  const extent = await streamExtent(bus, stream)
  if (extent === undefined) return []
  const messages = await readPart(bus, { stream, filter: `${prefixOf(name)}>`, ...extent })
  return messages.map((message) => changeOf(name, message))
}

/** Yields the entries of a bucket below this token, one after the other: there may be more than fit into memory. */
export async function* entriesBelow(bus: Bus, name: BucketName, token: string): AsyncGenerator<BucketChange> {
  const filter = `${prefixOf(name)}${token}.>`
  const part = { stream: `KV_${name}`, filter, first: 1, last: Number.MAX_SAFE_INTEGER }
  for await (const message of messagesOf(bus, part)) yield changeOf(name, message)
}

function prefixOf(name: BucketName): string {
  return `$KV.${name}.`
}

function changeOf(
  name: BucketName,
  { subject, text, sequence, isDeletion, storedAt }: StreamMessage,
): BucketChange {
  return {
    key: subject.slice(prefixOf(name).length),
    text: isDeletion ? undefined : text,
    revision: sequence,
    storedAt,
  }
}

async function getEntry(streams: StreamAPI, name: BucketName, key: string): Promise<Entry | undefined> {
  const message = await lastMessage(streams, `KV_${name}`, `$KV.${name}.${key}`)
  if (message === undefined || message.header.has(operationHeader)) return undefined
  return { text: message.string(), revision: message.seq }
}

/** Set on the marks of deletions, and on nothing else. */
const operationHeader = 'KV-Operation'

/** Writes a value, only over this revision if one is named; returns its sequence. */
type Write = (key: string, text: string, over?: number) => Promise<Stored>

function createWrite(bus: Bus, name: BucketName, timeoutMs: number): Write {
  return async (key, text, over) => {
    const subject = `$KV.${name}.${key}`
    // A caller that compares waits for the outcome.
    return await bus.publishStored({ subject, payload: text, over, isUrgent: over !== undefined, timeoutMs })
  }
}

async function writeOver(
  write: Write,
  key: string,
  text: string,
  revision: number,
): Promise<number | undefined> {
  try {
    return (await write(key, text, revision)).sequence
  } catch (error) {
    if (isLostRace(error)) return undefined
    throw error
  }
}

/** JetStream's code for an unmet `expected last subject sequence`. */
const wrongLastSequence = 10_071

function isLostRace(error: unknown): boolean {
  return error instanceof StreamRefusal && error.code === wrongLastSequence
}
