import { now } from '@tripline/kit/clock'
import type { CommandResult } from '@tripline/proto/command-result'
import type { Sleep } from './domain/execution-state.ts'
import type { KeptRecord, LegsRecord } from './domain/legs-record.ts'
import type { ProgressStore } from './store/progress-store.ts'
import type { RecordStore, RecordSubject } from './store/record-store.ts'
import type { Identity } from './tell.ts'

/** What an execution keeps on the bus, so that a successor can go on. */
export interface Keeping {
  recall: (command: number, type: string) => Promise<KeptRecord | undefined>
  write: (command: number, type: string, record: LegsRecord, over: number) => Promise<number | undefined>
  forget: (command: number, type: string) => Promise<void>
  /** Keeps a wait and what was done before it; answers the wait as it stands there. */
  keepProgress: (sleep: Sleep, outcomes: readonly CommandResult[]) => Promise<Sleep>
}

/** The keeping of one block of an alert. */
export function keepingOf(
  { records, progress }: { records: RecordStore; progress: ProgressStore },
  identity: Identity,
  block: number,
): Keeping {
  const subjectOf = (command: number, type: string): RecordSubject => ({ ...identity, command, type })
  const { userId, alertId } = identity
  return {
    recall: async (command, type) => await records.recall(subjectOf(command, type)),
    write: async (command, type, record, over) =>
      await records.write(subjectOf(command, type), record, over, now()),
    forget: async (command, type) => await records.forget(subjectOf(command, type)),
    keepProgress: async ({ wakeAt, tradingState }, outcomes) =>
      await progress.keep(userId, alertId, block, { wakeAt, tradingState, outcomes: [...outcomes] }),
  }
}
