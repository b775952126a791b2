import { executionOfOrder } from '@tripline/proto/client-order-id'
import { AlertId } from '@tripline/proto/id'

/** The target of a search text: an error code, an alert by one of the ids made from it, or else messages and orders. */
export type Search = { code: string } | { alertId: string } | { text: string }

/** Reads what was typed into a search, without regard to case. */
export function readSearch(typed: string): Search {
  const text = typed.trim()
  const word = text.toUpperCase()
  if (/^E\d{3}$/.test(word)) return { code: word }
  const id = alertIdIn(word)
  return id === undefined ? { text } : { alertId: id }
}

/** The alert of an alert's, an execution's or an order's id. */
function alertIdIn(word: string): string | undefined {
  const executionId = executionOfOrder(word.replace(/^T/, 't')) ?? word
  return AlertId.safeParse(executionId.replace(/-\d+$/, '')).data
}
