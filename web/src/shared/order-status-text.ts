/** Returns how an order is, in words: one that waits at the exchange for its trigger is untriggered there. */
export function orderStatusText(status: string): string {
  return status === 'untriggered' ? 'waiting' : status.replaceAll('_', ' ')
}
