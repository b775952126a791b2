import { isZero } from '@tripline/proto/decimal'
import type { binanceusdm } from 'ccxt'
import { z } from 'zod'
import { isTerminal, type OrderRef, type VenueOrder } from '../../domain/order.ts'
import { feeOf } from './answers.ts'
import { nothingToCancel, orderAbsent } from './codes.ts'
import type { Ask, Desk } from './desk.ts'
import { asTriggered, type ReadAlgo, readAlgoOrder, readFuturesOrder } from './futures-answers.ts'
import { readOpenRows } from './open-rows.ts'
import { refusalIn } from './refusal.ts'

/** The orders of a USDⓈ-M account, where ordinary and conditional ones live apart. */
export interface FuturesOrders {
  find: (ref: OrderRef, ask: Ask) => Promise<VenueOrder>
  list: (symbol: string, ask: Ask) => Promise<readonly VenueOrder[]>
  remove: (ref: OrderRef) => Promise<VenueOrder | undefined>
}

/** The orders that a client can ask for. */
export function createFuturesOrders(client: binanceusdm, desk: Desk): FuturesOrders {
  const findAlgo = async (ref: OrderRef, ask: Ask): Promise<ReadAlgo> =>
    readAlgoOrder(await ask(() => client.fapiPrivateGetAlgoOrder(algoName(ref))))
  return {
    find: async (ref, ask) => {
      if (ref.isConditional)
        return await findConditional(client, { desk, ask }, ref, await findAlgo(ref, ask))
      const answer = await ask(() => client.fapiPrivateGetOrder(orderName(ref)))
      return await withFee(client, desk, ref.symbol, readFuturesOrder(answer))
    },
    list: async (symbol, ask) => await listOpen(client, ask, symbol),
    remove: async (ref) => {
      if (!ref.isConditional) return await removeOrdinary(desk, orderName(ref))
      try {
        await desk.send({ method: 'DELETE', path: '/fapi/v1/algoOrder', fields: algoName(ref) })
        return undefined
      } catch (error) {
        if (refusalIn(error)?.code !== nothingToCancel) throw error
        const { order, childId } = await findAlgo(ref, desk.press)
        if (childId === undefined) throw error
        const child = await removeOrdinary(desk, { symbol: ref.symbol, orderId: childId })
        return asTriggered(order, child)
      }
    },
  }
}

async function removeOrdinary(desk: Desk, fields: Record<string, string>): Promise<VenueOrder> {
  return readFuturesOrder(await desk.send({ method: 'DELETE', path: '/fapi/v1/order', fields }))
}

/** A conditional order as what it became; the ordinary one may be seen only a moment after it is named. */
async function findConditional(
  client: binanceusdm,
  { desk, ask }: { desk: Desk; ask: Ask },
  { symbol }: OrderRef,
  { order, childId }: ReadAlgo,
): Promise<VenueOrder> {
  if (childId === undefined) return order
  try {
    const answer = await ask(() => client.fapiPrivateGetOrder({ symbol, orderId: childId }))
    return asTriggered(order, await withFee(client, desk, symbol, readFuturesOrder(answer)))
  } catch (error) {
    if (refusalIn(error)?.code === orderAbsent) return order
    throw error
  }
}

/** Orders do not tell what they cost, their fills do. */
async function withFee(
  client: binanceusdm,
  desk: Desk,
  symbol: string,
  order: VenueOrder,
): Promise<VenueOrder> {
  if (!isTerminal(order) || isZero(order.filled)) return order
  try {
    const question = { symbol, orderId: order.venueOrderId, limit: mostFills }
    const fills = z.array(z.unknown()).parse(await desk.ask(() => client.fapiPrivateGetUserTrades(question)))
    return fills.length < mostFills ? { ...order, fee: feeOf(fills) } : order
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
async function listOpen(client: binanceusdm, ask: Ask, symbol: string): Promise<readonly VenueOrder[]> {
  const algos = await ask(() => client.fapiPrivateGetOpenAlgoOrders({ symbol }))
  const waiting = readOpenRows(algos, (algo) => readAlgoOrder(algo).order)
  const answer = await ask(() => client.fapiPrivateGetOpenOrders({ symbol }))
  const ordinary = readOpenRows(answer, readFuturesOrder)
  const names = new Set(ordinary.map(({ clientOrderId }) => clientOrderId))
  return [...waiting.filter(({ clientOrderId }) => !names.has(clientOrderId)), ...ordinary]
}

function orderName({ symbol, venueOrderId, clientOrderId }: OrderRef): Record<string, string> {
  return venueOrderId === undefined
    ? { symbol, origClientOrderId: clientOrderId }
    : { symbol, orderId: venueOrderId }
}

function algoName({ symbol, venueOrderId, clientOrderId }: OrderRef): Record<string, string> {
  return venueOrderId === undefined
    ? { symbol, clientAlgoId: clientOrderId }
    : { symbol, algoId: venueOrderId }
}
