import type { TakenBackOrder } from '@tripline/proto/command-result'

/** Returns in words which orders were taken back for a sale; undefined where none was. */
export function takenText(orders: readonly TakenBackOrder[] = []): string | undefined {
  const { length: count } = orders
  if (count === 0) return undefined
  const again = orders.filter(({ stands_again: left }) => left !== null).length
  const standing = again === 0 ? '' : `, ${again === count ? '' : `${again} `}placed again for what is left`
  return `${count} ${count === 1 ? 'order' : 'orders'} taken back for it${standing}`
}
