import { marketsOf } from '../../domain/market.ts'
import { isAlgo, type Order } from '../../domain/order.ts'
import { type Entry, findAlgoByClientOrderId, findByClientOrderId } from '../../store/ledger.ts'
import { VenueError } from '../binance/errors.ts'
import type { Params } from '../params.ts'
import { readMarket, readOrderId, readWhole } from './read-params.ts'

/** The ordinary order a request names by id or by the client's name, or undefined where there is none. */
export function findOrder(entry: Entry, params: Params): Order | undefined {
  const market = readMarket(params).id
  const orderId = readOrderId(params)
  const clientOrderId = params.get('origClientOrderId')
  if (orderId === undefined && !clientOrderId) {
    const message = "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!"
    throw new VenueError(-1102, message)
  }
  const found =
    orderId === undefined
      ? findByClientOrderId(entry, market, clientOrderId ?? '')
      : entry.orders.get(orderId)
  return found?.market === market && !isAlgo(found) ? found : undefined
}

/** The conditional order a request names by id or by the client's name, or undefined where there is none. */
export function findAlgo(entry: Entry, params: Params): Order | undefined {
  const algoId = readWhole(params, 'algoId')
  const clientAlgoId = params.get('clientAlgoId')
  if (algoId === undefined && !clientAlgoId) {
    const message = "Param 'clientAlgoId' or 'algoId' must be sent, but both were empty/null!"
    throw new VenueError(-1102, message)
  }
  if (algoId !== undefined) {
    const found = entry.orders.get(algoId)
    return found && isAlgo(found) ? found : undefined
  }
  for (const { id } of marketsOf('binance-futures')) {
    const found = findAlgoByClientOrderId(entry, id, clientAlgoId ?? '')
    if (found) return found
  }
  return undefined
}

/** The ordinary order that a conditional one became, or undefined while there is none. */
export function childOf(entry: Entry, { childId }: Order): Order | undefined {
  return childId === undefined ? undefined : entry.orders.get(childId)
}
