import type { EndedOutcome } from '@tripline/proto/command-result'

/** Returns the orders that ended with the position that a command closed, in words; undefined if there are none. */
export function endedText(ended: readonly EndedOutcome[] = []): string | undefined {
  const count = ended.reduce((sum, { client_order_ids: ids }) => sum + ids.length, 0)
  if (count === 0) return undefined
  return `${count} ${count === 1 ? 'order' : 'orders'} ended with the position`
}
