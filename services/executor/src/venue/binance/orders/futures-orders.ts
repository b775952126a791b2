import { isZero, subtract } from '@tripline/proto/decimal'
import type { OrderRef, VenueOrder } from '../../../domain/order/order.ts'
import { askedAgain } from '../../account/shown-after.ts'
import { refusalIn } from '../../http/refusal.ts'
import type { RestClient, Urgency } from '../../http/rest-client.ts'
import { isNamed, nameOf } from '../answers.ts'
import { nothingToCancel, orderAbsent } from '../codes.ts'
import { readAll } from '../read-rows.ts'
import { findElsewhere, type OrderLists, orAbsent, withFee } from './find-order.ts'
import { asTriggered, type ReadAlgo, readAlgoOrder, readFuturesOrder } from './futures-answers.ts'

/** The orders of a USDⓈ-M account, where ordinary and conditional ones live apart. */
export interface FuturesOrders {
  find: (ref: OrderRef, urgency: Urgency) => Promise<VenueOrder>
  /** Looks for an order that its name did not show, or for what a conditional one became; undefined where nothing has it. */
  findElsewhere: (ref: OrderRef, urgency: Urgency) => Promise<VenueOrder | undefined>
  /** Asks for an ordinary order alone, which reports the mean price of what is filled; null where it is behind that. */
  mean: (ref: OrderRef, filled: string) => Promise<string | null>
  list: (symbol: string, urgency: Urgency) => Promise<readonly VenueOrder[]>
  /** Cancels an order; returns it where the venue shows it along with that. */
  remove: (ref: OrderRef, seenAt?: number) => Promise<VenueOrder | undefined>
}

/** The orders that a client can ask for. */
export function createFuturesOrders(restClient: RestClient): FuturesOrders {
  return {
    find: async (ref, urgency) => {
      if (ref.isConditional) return await findConditional({ restClient, urgency }, ref)
      return await withFee(
        restClient.get,
        tradesPath,
        ref.symbol,
        await findOrdinary({ restClient, urgency }, ref),
      )
    },
    findElsewhere: async (ref, urgency) => {
      const found = await findElsewhere(restClient.get, lists, ref, urgency)
      return found && (ref.isConditional ? asConditional(ref, found) : found)
    },
    mean: async (ref, filled) => {
      const isWhole = (shown: VenueOrder | undefined): boolean =>
        shown !== undefined && isZero(subtract(shown.filled, filled))
      const find = async () => await findOrdinary({ restClient, urgency: 'read' }, ref)
      const shown = await askedAgain(async () => await orAbsent(find), isWhole)
      return shown !== undefined && isWhole(shown) ? shown.averagePrice : null
    },
    list: async (symbol, urgency) => await listOpen({ restClient, urgency }, symbol),
    remove: async (ref, seenAt) => {
      if (!ref.isConditional) return shownIn(await remove(restClient, orderPath, nameOf(ref), seenAt))
      try {
        await remove(restClient, '/fapi/v1/algoOrder', algoName(ref), seenAt)
        return undefined
      } catch (error) {
        if (refusalIn(error)?.code !== nothingToCancel) throw error
        const algo = await orAbsent(async () => await findAlgo({ restClient, urgency: 'exit' }, ref))
        if (algo !== undefined && algo.childId === undefined) throw error
        const name = { ...ref, venueOrderId: algo?.childId ?? '' }
        const child = shownIn(await remove(restClient, orderPath, nameOf(name), seenAt))
        if (child === undefined) return undefined
        return algo === undefined ? asConditional(ref, child) : asTriggered(algo.order, child)
      }
    },
  }
}

const lists: OrderLists = { base: '/fapi/v1/', trades: 'userTrades', read: (row) => readFuturesOrder(row) }
const orderPath = '/fapi/v1/order'
const tradesPath = '/fapi/v1/userTrades'

async function remove(
  { send }: RestClient,
  path: string,
  fields: Record<string, string>,
  seenAt: number | undefined,
): Promise<unknown> {
  return await send({ method: 'DELETE', path, fields, urgency: 'cancel', seenAt })
}

/** The order that the answer to a cancel shows; undefined where that cannot be read, and it is canceled all the same. */
function shownIn(answer: unknown): VenueOrder | undefined {
  try {
    return readFuturesOrder(answer)
  } catch {
    return undefined
  }
}

async function findOrdinary({ restClient, urgency }: Asking, ref: OrderRef): Promise<VenueOrder> {
  return readFuturesOrder(await restClient.get(orderPath, nameOf(ref), urgency))
}

interface Asking {
  restClient: RestClient
  urgency: Urgency
}

/**
 * A conditional order by its own name: the venue has said of living ones that they do not exist when they were asked for
 * by its id (measured on 2026-09-19), while openAlgoOrders had them. Finished ones are in allAlgoOrders alone
 * (nautilus_trader #4449), and what one became is an ordinary order with the same name.
 */
async function findAlgo({ restClient: { get }, urgency }: Asking, ref: OrderRef): Promise<ReadAlgo> {
  const { symbol } = ref
  const name = ref.clientOrderId === '' ? algoName(ref) : { symbol, clientAlgoId: ref.clientOrderId }
  try {
    return readAlgoOrder(await get('/fapi/v1/algoOrder', name, urgency))
  } catch (error) {
    if (refusalIn(error)?.code !== orderAbsent) throw error
    const algoId = isNamed(ref.venueOrderId) ? { algoId: ref.venueOrderId } : {}
    const found =
      algoIn(await get('/fapi/v1/openAlgoOrders', { symbol }, urgency), ref) ??
      algoIn(await get('/fapi/v1/allAlgoOrders', { symbol, ...algoId, limit: mostAlgos }, urgency), ref)
    if (found === undefined) throw error
    return found
  }
}

const mostAlgos = 100

function algoIn(list: unknown, { venueOrderId, clientOrderId }: OrderRef): ReadAlgo | undefined {
  return readAll(list, (row) => readAlgoOrder(row)).find(
    ({ order }) => order.clientOrderId === clientOrderId || order.venueOrderId === venueOrderId,
  )
}

/**
 * A conditional order as what it became, which may be seen only a moment after it is named; where the venue has forgotten
 * what it was, the order that it became is found by its name, which stays the same.
 */
async function findConditional(asking: Asking, ref: OrderRef): Promise<VenueOrder> {
  const algo = await orAbsent(async () => await findAlgo(asking, ref))
  if (algo !== undefined && algo.childId === undefined) return algo.order
  const name = { ...ref, venueOrderId: algo?.childId ?? '' }
  if (algo === undefined) return asConditional(ref, await findOrdinary(asking, name))
  const child = await orAbsent(async () => await findOrdinary(asking, name))
  return child === undefined
    ? algo.order
    : asTriggered(algo.order, await withFee(asking.restClient.get, tradesPath, ref.symbol, child))
}

/**
 * Returns the order that a conditional one became, if nothing else is known of it, under the name that it was placed
 * with.
 */
function asConditional({ venueOrderId }: OrderRef, child: VenueOrder): VenueOrder {
  return { ...child, ...(isNamed(venueOrderId) && { venueOrderId }), isConditional: true }
}

/**
 * All open orders of a symbol. Conditional ones first: one that is triggered between the two answers then shows in both,
 * and never in none.
 */
async function listOpen(
  { restClient: { get }, urgency }: Asking,
  symbol: string,
): Promise<readonly VenueOrder[]> {
  const algos = await get('/fapi/v1/openAlgoOrders', { symbol }, urgency)
  const waiting = readAll(algos, (algo) => readAlgoOrder(algo).order)
  const answer = await get('/fapi/v1/openOrders', { symbol }, urgency)
  const ordinary = readAll(answer, (row) => readFuturesOrder(row))
  const names = new Set(ordinary.map(({ clientOrderId }) => clientOrderId))
  return [...waiting.filter(({ clientOrderId }) => !names.has(clientOrderId)), ...ordinary]
}

function algoName({ symbol, venueOrderId, clientOrderId }: OrderRef): Record<string, string> {
  return isNamed(venueOrderId) ? { symbol, algoId: venueOrderId } : { symbol, clientAlgoId: clientOrderId }
}
