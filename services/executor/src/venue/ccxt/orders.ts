import { setTimeout as sleep } from 'node:timers/promises'
import { divide, isZero, plain } from '@tripline/proto/decimal'
import type { Exchange, Order } from 'ccxt'
import type { Cancellation, LookUpDepth, OrderRef } from '../../domain/order/order.ts'
import * as orders from '../../domain/order/order.ts'
import { WithheldError } from '../http/fence.ts'
import { causeOf, refusalIn } from '../http/refusal.ts'
import type { Venue } from '../venue.ts'
import type { CcxtClient } from './client.ts'
import type { CcxtDialect, OrderNews } from './dialect.ts'
import { type ListedMarket, readOrder } from './library-form.ts'

// Answers say that something was taken; its state afterwards is looked up.
const settleAfterMs = [0, 100, 300] as const
const lists = ['fetchOpenOrders', 'fetchClosedOrders', 'fetchCanceledOrders'] as const

/** The orders of one account. */
export interface CcxtOrders extends Pick<Venue, 'place' | 'lookUp' | 'cancel'> {
  /** The open orders of a symbol, or of all; throws where they cannot be read. */
  listOpen: (symbol?: string) => Promise<OrderNews[]>
}

/** Places, finds, cancels and lists orders; whatever changes something is sent once. */
export function createOrders(
  client: CcxtClient,
  dialect: CcxtDialect,
  markets: ReadonlyMap<string, ListedMarket>,
): CcxtOrders {
  const { ask, says } = client
  const { conditional, nameOf } = dialect
  const listed = (symbol: string): ListedMarket => {
    const market = markets.get(symbol)
    if (market === undefined) throw new Error('the symbol is not listed')
    return market
  }
  const contracts = new Map([...markets.values()].map(({ name, contract }) => [name, contract]))
  const read = (row: Order): OrderNews => readOrder(row, dialect, (name) => contracts.get(name) ?? '1')
  const unlessAbsent = async <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await asked
    } catch (error) {
      if (says(error, 'absent')) return undefined
      throw error
    }
  }
  /** Names an order to the library: our name and its kind, or the venue's id. */
  const named = ({ symbol, clientOrderId, venueOrderId = '', isConditional }: OrderRef) => {
    const ours = clientOrderId === '' ? {} : { clientOrderId: nameOf(clientOrderId) }
    return [venueOrderId, listed(symbol).name, { ...ours, ...(isConditional && conditional) }] as const
  }
  const isMeant = ({ clientOrderId, venueOrderId }: OrderRef, { order }: OrderNews): boolean =>
    clientOrderId === ''
      ? order.venueOrderId === venueOrderId
      : nameOf(order.clientOrderId) === nameOf(clientOrderId)
  /** Asks by name, and then list after list: a conditional order is among ordinary ones once it was triggered. */
  const find = async (ref: OrderRef, depth?: LookUpDepth): Promise<OrderNews | undefined> => {
    const { name } = listed(ref.symbol)
    const kinds = ref.isConditional ? [conditional, {}] : [{}]
    const elsewhere = kinds.flatMap((kind) =>
      lists.map((list) => async (library: Exchange) => await library[list](name, undefined, undefined, kind)),
    )
    const byName = async (library: Exchange): Promise<Order[]> => [await library.fetchOrder(...named(ref))]
    for (const place of [byName, ...(depth === 'everywhere' ? elsewhere : [])]) {
      const rows = (await unlessAbsent(ask(place))) ?? []
      const found = rows.map(read).find((news) => isMeant(ref, news))
      if (found !== undefined) return await followed(ref, found)
    }
    return undefined
  }
  const followed = async (ref: OrderRef, { became, ...found }: OrderNews): Promise<OrderNews> => {
    const own = { clientOrderId: ref.clientOrderId || found.order.clientOrderId }
    if (became === undefined) return { ...found, order: { ...found.order, ...own } }
    const { name } = listed(ref.symbol)
    const { order, ...news } = read(await ask(async (library) => await library.fetchOrder(became, name)))
    const { type, triggerPrice, reduceOnly } = found.order
    return { ...news, order: { ...order, ...own, type, triggerPrice, reduceOnly, isConditional: true } }
  }
  const settle = async (ref: OrderRef, isSettled = hasEnded): Promise<OrderNews | undefined> => {
    let last: OrderNews | undefined
    for (const afterMs of settleAfterMs) {
      await sleep(afterMs)
      last = (await find(ref).catch(() => undefined)) ?? last
      if (last !== undefined && isSettled(last)) break
    }
    return last
  }
  const isCancelTaken = async (ref: OrderRef, seenAt: number | undefined): Promise<boolean> =>
    (await unlessAbsent(ask(async (library) => [await library.cancelOrder(...named(ref))], { seenAt }))) !==
    undefined
  const cancel = async (ref: OrderRef, seenAt: number | undefined): Promise<Cancellation> => {
    if (!(await isCancelTaken(ref, seenAt))) {
      const found = await settle(ref)
      if (found === undefined || hasEnded(found)) return { outcome: 'gone', order: found?.order }
      // A conditional order that was triggered is canceled as what it became.
      const { venueOrderId } = found.order
      const became = { symbol: ref.symbol, clientOrderId: '', venueOrderId, isConditional: false }
      if (!(await isCancelTaken(became, seenAt)))
        return {
          outcome: 'unknown',
          cause: 'the exchange shows the order open, and does not find it to cancel',
        }
    }
    const ended = await settle(ref)
    if (ended === undefined || !hasEnded(ended))
      return { outcome: 'unknown', cause: 'the exchange took the cancel, and does not show it done yet' }
    return { outcome: ended.order.status === 'filled' ? 'gone' : 'canceled', order: ended.order }
  }
  return {
    place: async (plan, onSent, permit) => {
      const { symbol, clientOrderId, quantity } = plan
      try {
        const { id, contract } = listed(symbol)
        const { path, params } = dialect.placing(plan, id, plain(divide(quantity, contract)))
        await ask(async (library) => await library.request(path, 'private', 'POST', params), {
          onSent,
          permit,
        })
      } catch (error) {
        const isThere = says(error, 'taken')
        return failureOf(error, client, dialect) ?? { ...unknown(error), ...(isThere && { isThere }) }
      }
      const ref = { symbol, clientOrderId, isConditional: orders.isConditional(plan) }
      const news = await settle(ref, (one) => !orders.isImmediate(plan) || hasEnded(one))
      const { order = orders.restingOrder(plan), refusal } = news ?? {}
      if (refusal !== undefined && isZero(order.filled)) return { outcome: 'refused', ...refusal }
      return { outcome: 'done', order }
    },
    lookUp: async (ref, depth) => {
      try {
        const order = (await find(ref, depth))?.order
        return order ? { outcome: 'found', order } : { outcome: 'absent', ...(depth && { depth }) }
      } catch (error) {
        return { ...unknown(error), outcome: 'unreachable' }
      }
    },
    cancel: async (ref, seenAt) => {
      try {
        return await cancel(ref, seenAt)
      } catch (error) {
        return failureOf(error, client, dialect) ?? unknown(error)
      }
    },
    listOpen: async (symbol) => {
      const name = symbol === undefined ? undefined : listed(symbol).name
      const asked = [{}, conditional].map(async (kind) =>
        ask(async (library) => await library.fetchOpenOrders(name, undefined, undefined, kind)),
      )
      return (await Promise.all(asked))
        .flat()
        .map(read)
        .filter((news) => markets.has(news.symbol))
    },
  }
}

const hasEnded = ({ order }: OrderNews): boolean => orders.isTerminal(order)

/** Thrown where an account is set up so that our orders would not do what they say. */
export class UnfitError extends Error {}

/** Returns that nothing was done, and why; undefined where that is not known. */
export function failureOf(error: unknown, { says }: CcxtClient, { meaningOf }: CcxtDialect) {
  if (error instanceof WithheldError) return { outcome: 'withheld' } as const
  if (error instanceof UnfitError) return { outcome: 'refused', code: 'E405', error: error.message } as const
  const refusal = refusalIn(error)
  if (refusal === undefined || says(error, 'open') || says(error, 'taken')) return undefined
  return { outcome: 'refused', ...meaningOf(refusal) } as const
}

/** Returns that it is not known whether it was done. */
export function unknown(error: unknown): { outcome: 'unknown'; cause: string } {
  return { outcome: 'unknown', cause: causeOf(error) }
}
