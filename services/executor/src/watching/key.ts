import type { RecordSubject } from '../store/record-store.ts'

/** What a watch is called among the others: the command that it is of. */
export function keyOf({ executionId, command }: Pick<RecordSubject, 'executionId' | 'command'>): string {
  return `${executionId}.${command}`
}
