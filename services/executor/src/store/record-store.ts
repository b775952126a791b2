import { entriesBelow, openBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { ExchangeMarket } from '@tripline/proto/exchange'
import { AlertId, BotId, ExecutionId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { z } from 'zod'
import { LegsRecord, type StoredLegs } from '../domain/group/legs-record.ts'
import type { Hold } from '../domain/sharing/lease.ts'
import { readStoredJson } from './stored-json.ts'
import { always, untilStored } from './until-stored.ts'

/** Which command of which execution a record is of. */
export const RecordSubject = z.object({
  userId: UserId,
  alertId: AlertId,
  executionId: ExecutionId,
  botId: BotId,
  label: z.string(),
  exchange: ExchangeMarket,
  symbol: z.string(),
  command: z.int().nonnegative(),
  type: z.string(),
})
export type RecordSubject = z.infer<typeof RecordSubject>

/** Form of a record in the bucket. */
export const StoredRecord = z.object({ subject: RecordSubject, record: LegsRecord, at: z.number() })

/** A record with what it is of, and when it was last changed. */
export interface StoredRecord extends StoredLegs {
  subject: RecordSubject
  at: number
}

/** The records of commands of several orders, in the bucket `watches`. */
export interface RecordStore {
  recall: (subject: RecordSubject) => Promise<StoredLegs | undefined>
  /** Writes only over this revision (0: nothing there); returns the new one, or undefined when another record is stored there. */
  write: (subject: RecordSubject, record: LegsRecord, over: number, at: number) => Promise<number | undefined>
  forget: (subject: RecordSubject) => Promise<void>
  /** Records for users of this partition, one after the other. */
  recordsOf: (partition: number) => AsyncIterable<StoredRecord>
}

/** Opens the records. Nothing is written for a user whose lease is not held. */
export async function openRecordStore(bus: Bus, holdOf: (userId: UserId) => Hold): Promise<RecordStore> {
  const bucket = await openBucket(bus, 'watches')
  return {
    recall: async (subject) => {
      const key = keyOf(subject)
      const entry = await untilStored(bus, always, async () => await bucket.get(key), key)
      return entry && { record: parse(entry.text).record, revision: entry.revision }
    },
    write: async (subject, record, over, at) => {
      const key = keyOf(subject)
      const text = JSON.stringify({ subject, record, at } satisfies z.input<typeof StoredRecord>)
      const put = async (): Promise<number | undefined> => {
        const revision = await bucket.putIf(key, text, over)
        if (revision !== undefined) return revision
        // An answer may have been lost on the way: then the record that is stored there is our own.
        const entry = await bucket.get(key)
        return entry?.text === text ? entry.revision : undefined
      }
      return await untilStored(bus, () => holdOf(subject.userId), put, key)
    },
    forget: async (subject) => {
      const key = keyOf(subject)
      await untilStored(bus, always, async () => await bucket.erase(key), key)
    },
    recordsOf: (partition) => readRecords(bus, partition),
  }
}

async function* readRecords(bus: Bus, partition: number): AsyncGenerator<StoredRecord> {
  for await (const { key, text, revision } of entriesBelow(bus, 'watches', `${partition}`)) {
    const stored = text === undefined ? undefined : readStoredJson(bus, StoredRecord, key, text)
    if (stored !== undefined) yield { ...stored, revision }
  }
}

function keyOf({ userId, executionId, command }: RecordSubject): string {
  return `${partitionOf(userId)}.${executionId}.${command}`
}

function parse(text: string): z.infer<typeof StoredRecord> {
  return StoredRecord.parse(JSON.parse(text))
}
