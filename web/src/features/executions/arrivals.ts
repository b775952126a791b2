import type { ExecutionPage, ExecutionView } from '@tripline/proto/http/execution'

/** The executions on the screen, and the number of newer ones that wait for the person to ask for them. */
export interface Shown extends Pick<ExecutionPage, 'total' | 'has_more'> {
  executions: readonly ExecutionView[]
  waiting: number
  /** There are more new ones than one page holds. */
  isMoreWaiting: boolean
}

/**
 * Returns the executions to show once this page has come. While the list is held, no row moves: those that are there
 * are brought up to date, and newer ones wait.
 */
export function arrive(shown: Shown | undefined, page: ExecutionPage, isPaused: boolean): Shown {
  if (shown === undefined || !isPaused || shown.executions.length === 0) return whole(page)
  const fresh = new Map(page.executions.map((execution) => [execution.id, execution]))
  const known = new Set(shown.executions.map(({ id }) => id))
  const firstKnown = page.executions.findIndex(({ id }) => known.has(id))
  const waiting = firstKnown < 0 ? page.executions.length : firstKnown
  return {
    ...shown,
    executions: shown.executions.map((execution) => fresh.get(execution.id) ?? execution),
    waiting,
    isMoreWaiting: firstKnown < 0 && page.has_more,
  }
}

function whole({ executions, total, has_more }: ExecutionPage): Shown {
  return { executions, total, has_more, waiting: 0, isMoreWaiting: false }
}
