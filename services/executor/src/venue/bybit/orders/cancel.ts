import { type Cancellation, isTerminal, type OrderRef } from '../../../domain/order/order.ts'
import { askedAgain } from '../../account/shown-after.ts'
import { changeFailure, refusalIn } from '../../http/refusal.ts'
import type { Venue } from '../../venue.ts'
import { bybitCodes, saysAbsent } from '../codes.ts'
import type { RestClient } from '../rest-client.ts'
import { isMeant } from '../stream/order-feed.ts'
import type { OrderUpdate } from '../stream/order-update.ts'
import { awaitEnd, type OrderSources } from './ended-order.ts'
import { idOf } from './find-order.ts'

const cancelPath = '/v5/order/cancel'

type OrderFilter = 'Order' | 'StopOrder' | 'tpslOrder'

const hasEnded = ({ order }: OrderUpdate): boolean => isTerminal(order)

/** The canceling of orders for one account; done when the venue shows that the order has ended. */
export function createCancel(restClient: RestClient, sources: OrderSources): Venue['cancel'] {
  return async (ref, seenAt) => {
    const expected = sources.feed.expect((order) => isMeant(ref, order), hasEnded)
    try {
      const refused = await requestCancel(restClient, sources, { ref, seenAt })
      if (refused !== undefined) return refused
      return cancellationOf(await awaitEnd(sources, ref, expected, hasEnded))
    } catch (error) {
      return changeFailure(error, bybitCodes)
    } finally {
      expected.stop()
    }
  }
}

interface Meant {
  ref: OrderRef
  seenAt: number | undefined
}

/** Asks for the cancel; undefined once the venue took it. */
async function requestCancel(
  restClient: RestClient,
  { finder }: OrderSources,
  meant: Meant,
): Promise<Cancellation | undefined> {
  const { ref } = meant
  const filter = ref.isConditional ? 'StopOrder' : 'Order'
  if (await isTaken(restClient, meant, filter)) return undefined
  const isOfOtherKind = (found: OrderUpdate): boolean =>
    restClient.category === 'spot' && filterOf(found) !== filter
  const found = await askedAgain(
    async () => await finder.find(ref),
    (one) => one !== undefined && (isTerminal(one.order) || isOfOtherKind(one)),
  )
  if (found === undefined || isTerminal(found.order)) return { outcome: 'gone', order: found?.order }
  // Spot holds conditional orders separately until they trigger, and looks for an order among one kind only.
  const actual = filterOf(found)
  if (restClient.category === 'spot' && actual !== filter && (await isTaken(restClient, meant, actual)))
    return undefined
  return { outcome: 'unknown', cause: 'the exchange shows the order open, and does not find it to cancel' }
}

function filterOf({ order, row }: OrderUpdate): OrderFilter {
  if (order.status !== 'untriggered') return 'Order'
  return row.stopOrderType === 'tpslOrder' ? 'tpslOrder' : 'StopOrder'
}

async function isTaken(
  restClient: RestClient,
  { ref, seenAt }: Meant,
  orderFilter: OrderFilter,
): Promise<boolean> {
  const { category } = restClient
  const filter = category === 'spot' ? { orderFilter } : {}
  try {
    const fields = { category, symbol: ref.symbol, ...idOf(ref), ...filter }
    await restClient.send({ method: 'POST', path: cancelPath, fields, urgency: 'cancel', seenAt })
    return true
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal !== undefined && saysAbsent(refusal)) return false
    throw error
  }
}

function cancellationOf(update: OrderUpdate | undefined): Cancellation {
  if (update === undefined || !isTerminal(update.order))
    return { outcome: 'unknown', cause: 'the exchange took the cancel, and does not show it done yet' }
  const { order } = update
  return order.status === 'filled' ? { outcome: 'gone', order } : { outcome: 'canceled', order }
}
