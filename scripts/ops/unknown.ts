import type { Bus } from '@tripline/kit/bus/bus'
import { partitionCount } from '@tripline/proto/subject'
import { openRecordStore, type StoredRecord } from '../../services/executor/src/store/record-store.ts'

/** The commands that were given up as unknown, and of which nothing turned out yet. */
export async function readUnknown(bus: Bus): Promise<StoredRecord[]> {
  // Nobody's lease: this only reads.
  const records = await openRecordStore(bus, () => 'gone')
  const unknown: StoredRecord[] = []
  for (let partition = 0; partition < partitionCount; partition++)
    for await (const stored of records.recordsOf(partition))
      if (stored.record.isUntold === true) unknown.push(stored)
  return unknown
}

/** One of them for people to read. */
export function describeUnknown({ subject, record, at }: StoredRecord): string {
  const { executionId, command, userId, label, exchange, symbol, type } = subject
  const ids = record.legs.map(({ decision }) => decision.plan.clientOrderId).join(', ')
  return [
    `${executionId}, command ${command + 1} (${type}), since ${new Date(at).toISOString()}`,
    `  user ${userId}, bot ${label} on ${exchange}, ${symbol}`,
    `  client order ids: ${ids}`,
  ].join('\n')
}
