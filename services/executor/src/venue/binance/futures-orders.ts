import { isZero, subtract } from '@tripline/proto/decimal'
import { isTerminal, type OrderRef, type VenueOrder } from '../../domain/order/order.ts'
import { askedAgain } from '../account/shown-after.ts'
import type { LibraryClient } from '../http/library-client.ts'
import { Fills, feeByFills, isNamed } from './answers.ts'
import { nothingToCancel, orderAbsent } from './codes.ts'
import { findElsewhere, listedRows, type OrderLists } from './find-elsewhere.ts'
import { asTriggered, type ReadAlgo, readAlgoOrder, readFuturesOrder } from './futures-answers.ts'
import { readAll } from './read-rows.ts'
import { refusalIn } from './refusal.ts'
import type { Requester, RestClient } from './rest-client.ts'

/** The orders of a USDⓈ-M account, where ordinary and conditional ones live apart. */
export interface FuturesOrders {
  find: (ref: OrderRef, request: Requester) => Promise<VenueOrder>
  /** Looks for an order that its name did not show, or for what a conditional one became; undefined where nothing has it. */
  findElsewhere: (ref: OrderRef, request: Requester) => Promise<VenueOrder | undefined>
  /** Asks for an ordinary order alone, which reports the mean price of what is filled; null where it is behind that. */
  mean: (ref: OrderRef, filled: string) => Promise<string | null>
  list: (symbol: string, request: Requester) => Promise<readonly VenueOrder[]>
  /** Cancels an order; returns it where the venue shows it along with that. */
  remove: (ref: OrderRef, seenAt?: number) => Promise<VenueOrder | undefined>
}

/** The orders that a client can ask for. */
export function createFuturesOrders(client: LibraryClient, restClient: RestClient): FuturesOrders {
  return {
    find: async (ref, request) => {
      if (ref.isConditional) return await findConditional({ client, restClient, request }, ref)
      return await withFee(client, restClient, ref.symbol, await findOrdinary(restClient, request, ref))
    },
    findElsewhere: async (ref, request) => {
      const found = await findElsewhere(listsOf(client), request, ref)
      return found && (ref.isConditional ? asConditional(ref, found) : found)
    },
    mean: async (ref, filled) => {
      const isWhole = (shown: VenueOrder | undefined): boolean =>
        shown !== undefined && isZero(subtract(shown.filled, filled))
      const find = async () => await findOrdinary(restClient, restClient.request, ref)
      const shown = await askedAgain(async () => await orNothing(find), isWhole)
      return shown !== undefined && isWhole(shown) ? shown.averagePrice : null
    },
    list: async (symbol, request) => await listOpen(client, request, symbol),
    remove: async (ref, seenAt) => {
      if (!ref.isConditional) return shownIn(await removeOrdinary(restClient, orderName(ref), seenAt))
      try {
        await restClient.send({ method: 'DELETE', path: '/fapi/v1/algoOrder', fields: algoName(ref), seenAt })
        return undefined
      } catch (error) {
        if (refusalIn(error)?.code !== nothingToCancel) throw error
        const algo = await orNothing(
          async () => await findAlgo({ client, restClient, request: restClient.requestUrgently }, ref),
        )
        if (algo !== undefined && algo.childId === undefined) throw error
        const name = { ...ref, venueOrderId: algo?.childId ?? '' }
        const child = shownIn(await removeOrdinary(restClient, orderName(name), seenAt))
        if (child === undefined) return undefined
        return algo === undefined ? asConditional(ref, child) : asTriggered(algo.order, child)
      }
    },
  }
}

function listsOf(client: LibraryClient): OrderLists {
  const latest = (symbol: string) => ({ symbol, limit: listedRows })
  return {
    open: (symbol) => client.get('fapiPrivate', 'openOrders', { symbol }),
    all: (symbol) => client.get('fapiPrivate', 'allOrders', latest(symbol)),
    trades: (symbol) => client.get('fapiPrivate', 'userTrades', latest(symbol)),
    byId: async (symbol, orderId) =>
      readFuturesOrder(await client.get('fapiPrivate', 'order', { symbol, orderId })),
    read: (row) => readFuturesOrder(row),
  }
}

async function removeOrdinary(
  restClient: RestClient,
  fields: Record<string, string>,
  seenAt: number | undefined,
): Promise<unknown> {
  return await restClient.send({ method: 'DELETE', path: '/fapi/v1/order', fields, seenAt })
}

/** The order that the answer to a cancel shows; undefined where that cannot be read, and it is canceled all the same. */
function shownIn(answer: unknown): VenueOrder | undefined {
  try {
    return readFuturesOrder(answer)
  } catch {
    return undefined
  }
}

async function findOrdinary({ get }: RestClient, request: Requester, ref: OrderRef): Promise<VenueOrder> {
  return readFuturesOrder(await request(() => get('/fapi/v1/order', orderName(ref))))
}

interface Asking {
  client: LibraryClient
  restClient: RestClient
  request: Requester
}

/**
 * A conditional order by its own name: the venue has said of living ones that they do not exist when they were asked for
 * by its id (measured on 2026-09-19), while openAlgoOrders had them. Finished ones are in allAlgoOrders alone
 * (nautilus_trader #4449), and what one became is an ordinary order with the same name.
 */
async function findAlgo({ client, request }: Asking, ref: OrderRef): Promise<ReadAlgo> {
  const { symbol } = ref
  const name = ref.clientOrderId === '' ? algoName(ref) : { symbol, clientAlgoId: ref.clientOrderId }
  const direct = () => client.get('fapiPrivate', 'algoOrder', name)
  try {
    return readAlgoOrder(await request(direct))
  } catch (error) {
    if (refusalIn(error)?.code !== orderAbsent) throw error
    const open = () => client.get('fapiPrivate', 'openAlgoOrders', { symbol })
    const all = () =>
      client.get('fapiPrivate', 'allAlgoOrders', {
        symbol,
        ...(isNamed(ref.venueOrderId) && { algoId: ref.venueOrderId }),
        limit: mostAlgos,
      })
    const found = (await listed(request, open, ref)) ?? (await listed(request, all, ref))
    if (found === undefined) throw error
    return found
  }
}

const mostAlgos = 100

async function listed(
  request: Requester,
  list: () => Promise<unknown>,
  { venueOrderId, clientOrderId }: OrderRef,
): Promise<ReadAlgo | undefined> {
  const algos = readAll(await request(list), (row) => readAlgoOrder(row))
  return algos.find(
    ({ order }) => order.clientOrderId === clientOrderId || order.venueOrderId === venueOrderId,
  )
}

/**
 * A conditional order as what it became, which may be seen only a moment after it is named; where the venue has forgotten
 * what it was, that is found by the name that it keeps.
 */
async function findConditional(asking: Asking, ref: OrderRef): Promise<VenueOrder> {
  const { client, restClient, request } = asking
  const algo = await orNothing(async () => await findAlgo(asking, ref))
  if (algo !== undefined && algo.childId === undefined) return algo.order
  const name = { ...ref, venueOrderId: algo?.childId ?? '' }
  if (algo === undefined) return asConditional(ref, await findOrdinary(restClient, request, name))
  const child = await orNothing(async () => await findOrdinary(restClient, request, name))
  return child === undefined
    ? algo.order
    : asTriggered(algo.order, await withFee(client, restClient, ref.symbol, child))
}

/**
 * Returns the order that a conditional one became, if nothing else is known of it, under the name that it was placed
 * with.
 */
function asConditional({ venueOrderId }: OrderRef, child: VenueOrder): VenueOrder {
  return { ...child, ...(isNamed(venueOrderId) && { venueOrderId }), isConditional: true }
}

async function orNothing<Value>(attempt: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await attempt()
  } catch (error) {
    if (refusalIn(error)?.code === orderAbsent) return undefined
    throw error
  }
}

/** Orders do not report what they cost, their fills do. */
async function withFee(
  client: LibraryClient,
  restClient: RestClient,
  symbol: string,
  order: VenueOrder,
): Promise<VenueOrder> {
  if (!isTerminal(order) || isZero(order.filled)) return order
  try {
    const question = { symbol, orderId: order.venueOrderId, limit: mostFills }
    const fills = Fills.parse(
      await restClient.request(() => client.get('fapiPrivate', 'userTrades', question)),
    )
    return { ...order, fee: feeByFills(fills, order) ?? order.fee }
  } catch {
    // The order is what was asked for; without its cost it is still the answer.
    return order
  }
}

const mostFills = 1000

/**
 * All open orders of a symbol. Conditional ones first: one that is triggered between the two answers then shows in both,
 * and never in none.
 */
async function listOpen(
  client: LibraryClient,
  request: Requester,
  symbol: string,
): Promise<readonly VenueOrder[]> {
  const algos = await request(() => client.get('fapiPrivate', 'openAlgoOrders', { symbol }))
  const waiting = readAll(algos, (algo) => readAlgoOrder(algo).order)
  const answer = await request(() => client.get('fapiPrivate', 'openOrders', { symbol }))
  const ordinary = readAll(answer, (row) => readFuturesOrder(row))
  const names = new Set(ordinary.map(({ clientOrderId }) => clientOrderId))
  return [...waiting.filter(({ clientOrderId }) => !names.has(clientOrderId)), ...ordinary]
}

function orderName({ symbol, venueOrderId, clientOrderId }: OrderRef): Record<string, string> {
  return isNamed(venueOrderId)
    ? { symbol, orderId: venueOrderId }
    : { symbol, origClientOrderId: clientOrderId }
}

function algoName({ symbol, venueOrderId, clientOrderId }: OrderRef): Record<string, string> {
  return isNamed(venueOrderId) ? { symbol, algoId: venueOrderId } : { symbol, clientAlgoId: clientOrderId }
}
