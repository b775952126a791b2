import type { Order } from '../../domain/order.ts'
import type { Entry } from '../../store/ledger.ts'
import type { Category } from './category.ts'
import { fillsOf } from './fill-book.ts'
import { formatOrder, moneyText } from './format-order.ts'

/** An order in the form of the private stream. */
export function orderMessage(entry: Entry, order: Order, category: Category) {
  const { realized, fee, feeAsset, closed } = fillsOf(entry, order.market, order.id)
  const closedPnl = closed > 0n ? moneyText(realized - fee) : '0'
  return { category, ...formatOrder(entry, order), closedPnl, feeCurrency: feeAsset }
}
