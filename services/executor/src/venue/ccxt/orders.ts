import { setTimeout as sleep } from 'node:timers/promises'
import { divide, isZero, plain } from '@tripline/proto/decimal'
import type { Exchange, Order } from 'ccxt'
import type { Cancellation, LookUpDepth, OrderRef } from '../../domain/order/order.ts'
import * as orders from '../../domain/order/order.ts'
import { causeOf, changeFailure, placeFailure, refusalIn } from '../http/refusal.ts'
import type { Venue } from '../venue.ts'
import type { CcxtClient } from './client.ts'
import type { CcxtDialect, FoundOrder } from './dialect.ts'
import { type ListedMarket, readOrder } from './library-form.ts'

// Answers say that something was taken; its state afterwards is looked up.
const settleAfterMs = [0, 100, 300] as const
// As many hundreds as an account may have open at OKX ("General Info").
const mostPages = 40
const lists = ['fetchOpenOrders', 'fetchClosedOrders', 'fetchCanceledOrders'] as const

/** The orders of one account. */
export interface CcxtOrders extends Pick<Venue, 'place' | 'lookUp' | 'cancel'> {
  /** The open orders of a symbol, or of all; throws where they cannot be read. */
  listOpen: (symbol?: string) => Promise<FoundOrder[]>
}

/** Places, finds, cancels and lists orders; whatever changes something is sent once. */
export function createOrders(
  { ask }: CcxtClient,
  dialect: CcxtDialect,
  markets: ReadonlyMap<string, ListedMarket>,
): CcxtOrders {
  const { scope, conditional, codes, nameOf } = dialect
  const listed = (symbol: string): ListedMarket => {
    const market = markets.get(symbol)
    if (market === undefined) throw new Error('the symbol is not listed')
    return market
  }
  const contracts = new Map([...markets.values()].map(({ name, contract }) => [name, contract]))
  const read = (row: Order): FoundOrder => {
    const contract = contracts.get(row.symbol ?? '')
    if (contract === undefined) throw new Error('an order of another market')
    return readOrder(row, dialect, contract)
  }
  const unlessAbsent = async <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await asked
    } catch (error) {
      const refusal = refusalIn(error)
      if (refusal !== undefined && codes.isAbsent(refusal)) return undefined
      throw error
    }
  }
  /** Names an order to the library: our name and its kind, or the venue's id. */
  const named = ({ symbol, clientOrderId, venueOrderId = '', isConditional }: OrderRef) => {
    const ours = clientOrderId === '' ? {} : { clientOrderId: nameOf(clientOrderId) }
    return [venueOrderId, listed(symbol).name, { ...ours, ...(isConditional && conditional) }] as const
  }
  const isMeant = ({ clientOrderId, venueOrderId }: OrderRef, { order }: FoundOrder): boolean =>
    clientOrderId === ''
      ? order.venueOrderId === venueOrderId
      : nameOf(order.clientOrderId) === nameOf(clientOrderId)
  /** Asks by name, and then list after list: a conditional order is among ordinary ones once it was triggered. */
  const find = async (ref: OrderRef, depth?: LookUpDepth): Promise<FoundOrder | undefined> => {
    const { name } = listed(ref.symbol)
    const kinds = ref.isConditional ? [conditional, {}] : [{}]
    const elsewhere = kinds.flatMap((kind) =>
      lists.map(
        (list) => async (library: Exchange) =>
          await library[list](name, undefined, undefined, { ...scope, ...kind }),
      ),
    )
    const byName = async (library: Exchange): Promise<Order[]> => [await library.fetchOrder(...named(ref))]
    for (const place of [byName, ...(depth === 'everywhere' ? elsewhere : [])]) {
      const rows = (await unlessAbsent(ask(place))) ?? []
      const found = rows.map(read).find((one) => isMeant(ref, one))
      if (found !== undefined) return await followed(ref, found)
    }
    return undefined
  }
  const followed = async (ref: OrderRef, { became, ...found }: FoundOrder): Promise<FoundOrder> => {
    const own = { clientOrderId: ref.clientOrderId || found.order.clientOrderId }
    if (became === undefined) return { ...found, order: { ...found.order, ...own } }
    const { name } = listed(ref.symbol)
    const { order, ...rest } = read(await ask(async (library) => await library.fetchOrder(became, name)))
    const { type, triggerPrice, reduceOnly } = found.order
    return { ...rest, order: { ...order, ...own, type, triggerPrice, reduceOnly, isConditional: true } }
  }
  const settle = async (ref: OrderRef, isSettled = hasEnded): Promise<FoundOrder | undefined> => {
    let last: FoundOrder | undefined
    for (const afterMs of settleAfterMs) {
      await sleep(afterMs)
      last = (await find(ref).catch(() => undefined)) ?? last
      if (last !== undefined && isSettled(last)) break
    }
    return last
  }
  /** Lists all pages; the same order may be on two of them. */
  const listPages = async (name: string | undefined, kind: object): Promise<FoundOrder[]> => {
    const found = new Map<string, FoundOrder>()
    let params: object | undefined = kind
    for (let page = 0; page < mostPages && params !== undefined; page++) {
      const asked: object = params
      const rows = await ask(
        async (library) => await library.fetchOpenOrders(name, undefined, undefined, asked),
      )
      const meant = rows.filter((row) => contracts.has(row.symbol ?? '')).map(read)
      for (const one of meant) found.set(one.order.venueOrderId, one)
      const next = dialect.nextPage(rows.map(({ info }) => info))
      params = next && { ...kind, ...next }
    }
    return [...found.values()]
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
        return placeFailure(error, codes)
      }
      const ref = { symbol, clientOrderId, isConditional: orders.isConditional(plan) }
      const found = await settle(ref, (one) => !orders.isImmediate(plan) || hasEnded(one))
      const { order = orders.restingOrder(plan), refusal } = found ?? {}
      if (refusal !== undefined && isZero(order.filled)) return { outcome: 'refused', ...refusal }
      return { outcome: 'done', order }
    },
    lookUp: async (ref, depth) => {
      try {
        const order = (await find(ref, depth))?.order
        return order ? { outcome: 'found', order } : { outcome: 'absent', ...(depth && { depth }) }
      } catch (error) {
        return { outcome: 'unreachable', cause: causeOf(error) }
      }
    },
    cancel: async (ref, seenAt) => {
      try {
        return await cancel(ref, seenAt)
      } catch (error) {
        return changeFailure(error, codes)
      }
    },
    listOpen: async (symbol) => {
      const name = symbol === undefined ? undefined : listed(symbol).name
      return (
        await Promise.all([listPages(name, scope), listPages(name, { ...scope, ...conditional })])
      ).flat()
    },
  }
}

const hasEnded = ({ order }: FoundOrder): boolean => orders.isTerminal(order)
