import type { ExecutionSummary } from '@tripline/proto/http/execution'

/** The figures of each key's executions, by its id. */
type KeyFigures = ReadonlyMap<string, ExecutionSummary['keys'][number]>

/** The figures of a summary by the keys that they are about. */
export function figuresById({ keys }: Pick<ExecutionSummary, 'keys'>): KeyFigures {
  return new Map(keys.map((figures) => [figures.api_key_id, figures]))
}

/** When a key was last named by an alert: null where it never was, undefined where nobody knows. */
export function lastUseOf(figures: KeyFigures | undefined, id: string): string | null | undefined {
  return figures?.get(id)?.last_alert_at
}

/** Returns whether a key was used of late: `unknown` where nobody knows. */
export function dayUseOf(figures: KeyFigures | undefined, id: string): 'used' | 'unused' | 'unknown' {
  const count = figures?.get(id)?.executions_24h
  if (count === undefined) return 'unknown'
  return count > 0 ? 'used' : 'unused'
}
