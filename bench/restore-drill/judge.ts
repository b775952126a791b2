import type { ExecutionView } from '@tripline/proto/http/execution'
import { z } from 'zod'
import type { Sent } from '../soak/check-window.ts'

/** The facts after a restore. */
export interface Findings {
  /** Alerts that were answered before the back-up began. */
  before: readonly Sent[]
  /** Those that were sent while it was taken, or later. */
  after: readonly Sent[]
  /** Those that were sent after the restore. */
  fresh: readonly Sent[]
  /** The client order ids of the orders that the exchange accepted. */
  journal: readonly string[]
  history: readonly ExecutionView[]
}

/** The counts of each place, and the violations. */
export interface Judgement {
  counts: Record<string, number>
  violations: string[]
}

/** Compares the restored history with the exchange's journal. */
export function judge({ before, after, fresh, journal, history }: Findings): Judgement {
  const placed = new Set(journal)
  const listed = new Set(history.flatMap(ordersOf))
  const known = new Set(history.map(({ id }) => id))
  const late = after.filter(({ isAccepted }) => isAccepted)
  const unknown = late.filter(({ wanted }) => wanted.every(({ executionId }) => !known.has(executionId)))
  return {
    counts: {
      'alerts before the back-up': before.length,
      'their orders, at the exchange and in the history': ordersWanted(before).filter((id) => listed.has(id))
        .length,
      'alerts since it began': late.length,
      'of these in the history': late.length - unknown.length,
      'of these lost': unknown.length,
      'alerts after the restore': fresh.length,
      'their orders': ordersWanted(fresh).filter((id) => placed.has(id)).length,
      'orders at the exchange of which the history does not know': journal.filter((id) => !listed.has(id))
        .length,
    },
    violations: [
      ...placedTwice(journal),
      ...ordersWanted([...before, ...fresh]).flatMap((id) => unequal(id, placed, listed)),
      ...[...listed]
        .filter((id) => !placed.has(id))
        .map((id) => `order ${id} is in the history, and was never placed`),
      ...notThere([...before, ...fresh], known),
      ...history
        .filter((one) => one.overall_status === 'running')
        .map(({ id }) => `execution ${id} has no end`),
    ],
  }
}

function ordersWanted(sent: readonly Sent[]): string[] {
  return sent.flatMap(({ wanted }) => wanted.map(({ clientOrderId }) => clientOrderId))
}

function ordersOf({ commands_executed }: ExecutionView): string[] {
  return commands_executed.flatMap(({ result }) => {
    const id = z.string().safeParse(result?.['client_order_id'])
    return id.success ? [id.data] : []
  })
}

function placedTwice(journal: readonly string[]): string[] {
  const counts = Map.groupBy(journal, (id) => id)
  return [...counts].flatMap(([id, all]) =>
    all.length > 1 ? [`order ${id} was placed ${all.length} times`] : [],
  )
}

function unequal(id: string, placed: ReadonlySet<string>, listed: ReadonlySet<string>): string[] {
  if (placed.has(id) === listed.has(id)) return []
  return [placed.has(id) ? `order ${id} is not in the history` : `order ${id} is not at the exchange`]
}

function notThere(before: readonly Sent[], known: ReadonlySet<string>): string[] {
  const executions = new Set(before.flatMap(({ wanted }) => wanted.map(({ executionId }) => executionId)))
  return [...executions].filter((id) => !known.has(id)).map((id) => `execution ${id} is not in the history`)
}
