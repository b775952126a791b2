import { setTimeout as sleep } from 'node:timers/promises'
import { divide, isZero, plain } from '@tripline/proto/decimal'
import type { Order } from 'ccxt'
import {
  type Cancellation,
  isConditional,
  isImmediate,
  isTerminal,
  type LookUpDepth,
  type OrderRef,
  restingOrder,
} from '../../domain/order/order.ts'
import { WithheldError } from '../http/fence.ts'
import type { Venue } from '../venue.ts'
import { type CcxtClient, RefusalError } from './client.ts'
import type { CcxtDialect } from './dialect.ts'
import { type ListedMarket, type OrderNews, readOrder } from './unified.ts'

// Answers say that something was taken; what became of it is asked for.
const settleAfterMs = [0, 100, 300] as const

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
  const listed = (symbol: string): ListedMarket => {
    const market = markets.get(symbol)
    if (market === undefined) throw new Error('the symbol is not listed')
    return market
  }
  const contracts = new Map([...markets.values()].map(({ name, contract }) => [name, contract]))
  const read = (row: object): OrderNews => readOrder(row, dialect, (name) => contracts.get(name) ?? '1')
  const named = ({ clientOrderId }: OrderRef, ofConditional: boolean): object => ({
    ...(clientOrderId !== '' && { clientOrderId: dialect.nameOf(clientOrderId) }),
    ...(ofConditional && dialect.conditional),
  })
  const isMeant = (ref: OrderRef, { order }: OrderNews): boolean =>
    ref.clientOrderId === ''
      ? order.venueOrderId === ref.venueOrderId
      : dialect.nameOf(order.clientOrderId) === dialect.nameOf(ref.clientOrderId)

  /** Asks one place after the other; a conditional order shows among ordinary ones once it was triggered. */
  const find = async (ref: OrderRef, depth?: LookUpDepth): Promise<OrderNews | undefined> => {
    const { name } = listed(ref.symbol)
    const list = (how: 'fetchOpenOrders' | 'fetchClosedOrders' | 'fetchCanceledOrders', more = {}) =>
      ask(async (library) => await library[how](name, undefined, undefined, more))
    const places: (() => Promise<Order[]>)[] = [
      async () =>
        await ask(async (library) => [
          await library.fetchOrder(ref.venueOrderId ?? '', name, named(ref, ref.isConditional)),
        ]),
    ]
    if (depth === 'everywhere')
      for (const more of ref.isConditional ? [dialect.conditional, {}] : [{}])
        for (const how of ['fetchOpenOrders', 'fetchClosedOrders', 'fetchCanceledOrders'] as const)
          places.push(async () => await list(how, more))
    for (const place of places) {
      const rows = await place().catch((error) => {
        if (says(error, 'absent')) return []
        throw error
      })
      const found = rows.map(read).find((news) => isMeant(ref, news))
      if (found !== undefined) return await followed(ref, name, found)
    }
    return undefined
  }
  const followed = async (ref: OrderRef, name: string, found: OrderNews): Promise<OrderNews> => {
    const own = { clientOrderId: ref.clientOrderId || found.order.clientOrderId }
    const { became } = found
    if (became === undefined) return { ...found, order: { ...found.order, ...own } }
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
  const isCancelTaken = async (ref: OrderRef, seenAt: number | undefined): Promise<boolean> => {
    const { name } = listed(ref.symbol)
    const more = named(ref, ref.isConditional)
    return await ask(async (library) => await library.cancelOrder(ref.venueOrderId ?? '', name, more), {
      seenAt,
    })
      .then(() => true)
      .catch((error) => {
        if (says(error, 'absent')) return false
        throw error
      })
  }
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
      try {
        const { id, contract } = listed(plan.symbol)
        const { path, params } = dialect.placing(plan, id, plain(divide(plan.quantity, contract)))
        await ask(async (library) => await library.request(path, 'private', 'POST', params), {
          onSent,
          permit,
        })
      } catch (error) {
        const isThere = says(error, 'taken')
        return failureOf(error, client, dialect) ?? { ...unknown(error), ...(isThere && { isThere }) }
      }
      const ref = {
        symbol: plan.symbol,
        clientOrderId: plan.clientOrderId,
        isConditional: isConditional(plan),
      }
      const news = await settle(ref, (one) => !isImmediate(plan) || hasEnded(one))
      if (news === undefined) return { outcome: 'done', order: restingOrder(plan) }
      const { order, refusal } = news
      if (refusal !== undefined && isZero(order.filled)) return { outcome: 'refused', ...refusal }
      return { outcome: 'done', order }
    },
    lookUp: async (ref, depth) => {
      try {
        const order = (await find(ref, depth))?.order
        if (order !== undefined) return { outcome: 'found', order }
        return { outcome: 'absent', ...(depth && { depth }) }
      } catch (error) {
        return { outcome: 'unreachable', cause: causeOf(error) }
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
      const lists = [{}, dialect.conditional].map(async (more) =>
        ask(async (library) => await library.fetchOpenOrders(name, undefined, undefined, more)),
      )
      return (await Promise.all(lists))
        .flat()
        .map(read)
        .filter((news) => markets.has(news.symbol))
    },
  }
}

const hasEnded = ({ order }: OrderNews): boolean => isTerminal(order)
const unknown = (error: unknown) => ({ outcome: 'unknown', cause: causeOf(error) }) as const

/** Thrown where an account is set up so that our orders would not do what they say. */
export class UnfitError extends Error {}

/** Returns that nothing was done, and why; undefined where that is not known. */
export function failureOf(error: unknown, { says }: CcxtClient, { meaningOf }: CcxtDialect) {
  if (error instanceof WithheldError) return { outcome: 'withheld' } as const
  if (error instanceof UnfitError) return { outcome: 'refused', code: 'E405', error: error.message } as const
  if (!(error instanceof RefusalError) || says(error, 'open') || says(error, 'taken')) return undefined
  return { outcome: 'refused', ...meaningOf(error.refusal) } as const
}

/** The cause without the request: other errors' messages may hold addresses. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault'
  return ['RefusalError', 'DeadlineError'].includes(error.name) ? error.message : error.name
}
