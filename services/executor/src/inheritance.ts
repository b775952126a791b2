import type { AlertMessage } from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import { type AlertId, executionIdOf } from '@tripline/proto/id'
import type { StoredStories } from './store/event-log.ts'
import type { Progress } from './store/progress-store.ts'

/** What an earlier owner may have done with an alert; undefined for one that nobody took before. */
export interface Inheritance {
  /** From when on an order that is not found counts as absent; undefined when nothing can be in flight. */
  notAbsentBefore: number | undefined
  stories: StoredStories
  /** How far the blocks had come that wait. */
  progress: Progress
}

/** Whether something of the alert was told: then all of it was checked, and found to be in order. */
export function isTold({ stories }: Inheritance, { alertId, blocks }: AlertMessage): boolean {
  return blocks.some((_block, index) => stories.has(executionIdOf(alertId, index)))
}

/** Whether something of the alert may have been done. */
export function mayHaveBegun(inheritance: Inheritance, alert: AlertMessage): boolean {
  const { notAbsentBefore, progress } = inheritance
  return notAbsentBefore !== undefined || isTold(inheritance, alert) || Object.keys(progress).length > 0
}

/** What came before, as far as it is kept, of the commands of a block. */
export function outcomesBefore(
  { stories, progress }: Inheritance,
  alertId: AlertId,
  index: number,
): readonly CommandResult[] {
  const stored = stories.get(executionIdOf(alertId, index))?.outcomes ?? []
  const kept = progress[index]
  // What was kept tells of all that came before its wait, also where an event of it was not stored any more.
  return kept !== undefined && kept.outcomes.length > stored.length ? kept.outcomes : stored
}
