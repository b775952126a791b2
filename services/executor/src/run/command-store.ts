import { now } from '@tripline/kit/time/clock'
import type { CommandResult } from '@tripline/proto/command-result'
import type { Sleep } from '../domain/execution/state.ts'
import type { KeptRecord, LegsRecord } from '../domain/group/legs-record.ts'
import type { ProgressStore } from '../store/progress-store.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { About, Identity } from './emit.ts'

/** Store of an execution on the bus, so that a successor can go on. */
export interface CommandStore {
  recall: (about: About) => Promise<KeptRecord | undefined>
  write: (about: About, record: LegsRecord, over: number) => Promise<number | undefined>
  forget: (about: About) => Promise<void>
  /** Keeps a wait and what was done before it; returns the wait as it stands there. */
  keepProgress: (sleep: Sleep, outcomes: readonly CommandResult[]) => Promise<Sleep>
}

/** Records by their command. */
export type CommandRecords = Pick<RecordStore, 'recall' | 'write' | 'forget'>

/** The store of one block of an alert. */
export function commandStoreOf(
  { records, progress }: { records: CommandRecords; progress: ProgressStore },
  identity: Identity,
  block: number,
): CommandStore {
  const { userId, alertId } = identity
  return {
    recall: async (about) => await records.recall({ ...identity, ...about }),
    write: async (about, record, over) => await records.write({ ...identity, ...about }, record, over, now()),
    forget: async (about) => await records.forget({ ...identity, ...about }),
    keepProgress: async ({ wakeAt, tradingState }, outcomes) =>
      await progress.keep(userId, alertId, block, { wakeAt, tradingState, outcomes: [...outcomes] }),
  }
}
