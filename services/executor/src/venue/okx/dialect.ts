import { createLowest } from '@tripline/kit/time/lowest'
import { isZero, multiply } from '@tripline/proto/decimal'
import { z } from 'zod'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { isConditional, isTakeProfit, type OrderPlan, type VenueOrder } from '../../domain/order/order.ts'
import type { CcxtDialect, FoundOrder } from '../ccxt/dialect.ts'
import type { AddressUsage, EndpointDialect } from '../endpoint.ts'
import { loadExchange } from '../http/load-exchange.ts'
import type { VenueRefusal } from '../http/refusal.ts'
import { parseJson } from '../read/parse-json.ts'
import { Decimal, spare, Text, Whole } from '../read/read-fields.ts'
import { okxCodes } from './codes.ts'

const Time = z.object({ data: z.tuple([z.object({ ts: Whole })]) })

/** OKX's clock. It bans no address: its limits count the requests of a user ("Rate Limits" of its documentation, 2026-06). */
const endpoint: EndpointDialect<AddressUsage> = {
  timePath: '/api/v5/public/time',
  readTime: (body) => Time.parse(parseJson(body)).data[0].ts,
  createUsage: () => ({ accounts: createLowest() }),
  heed: () => undefined,
  isBanned: () => false,
  refuseWhileBanned: () => undefined,
  budgetLeft: () => 1,
}

const text = (field: string) => spare(field, Text, '')
const Row = z.object({ sCode: text('sCode'), sMsg: text('sMsg') })
const Answer = z.object({ code: Whole, msg: text('msg'), data: spare('data', z.array(z.unknown()), []) })

/**
 * Returns the no in an answer. The code of its row counts before the one of the whole ("General Info"), which is 0 also
 * for algo orders that were refused (nautilus_trader, http_place_algo_order_rejected.json).
 */
function refusalIn(status: number, body: unknown): VenueRefusal | undefined {
  const answer = Answer.safeParse(body).data
  // 50011 is what a server before the venue says by its status alone.
  if (answer === undefined)
    return { status, code: status === 429 ? 50_011 : 0, text: `answered with status ${status}` }
  const { code, msg, data } = answer
  const { sCode = '', sMsg = '' } = Row.safeParse(data[0]).data ?? {}
  if (sCode !== '' && sCode !== '0') return { status, code: Number(sCode) || 0, text: sMsg }
  return code === 0 && status < 300 ? undefined : { status, code, text: msg }
}

// Names have at most 32 letters and digits ("Place order"); the mark of a tag goes in a field beside.
const longestName = 32
const nameOf = (clientOrderId: string): string => clientOrderId.slice(0, longestName)
const ourMark = /^[0-9A-V]{4}$/
const orderTypes = { gtc: 'limit', ioc: 'ioc', fok: 'fok', postOnly: 'post_only' } as const
// A parameter of the path: the library gives a name and a tag of its own to algo orders that it knows by the path.
const path = 'trade/{call}'

function placing(plan: OrderPlan, instId: string, size: string, isSpot: boolean) {
  const { side, clientOrderId, price, quoteQuantity, timeInForce = 'gtc', reduceOnly, type } = plan
  const isMarket = type === 'market' || type === 'stop' || type === 'takeProfit'
  const [name, tag] = [nameOf(clientOrderId), clientOrderId.slice(longestName)]
  const unit = quoteQuantity === undefined ? 'base' : 'quote'
  const shared = {
    ...{ instId, tdMode: isSpot ? 'cash' : 'cross', side, sz: quoteQuantity ?? size },
    ...(tag !== '' && { tag }),
    // Of conditional orders for those that buy alone ("Place algo order").
    ...(isSpot && isMarket && !(isConditional(plan) && side === 'sell') && { tgtCcy: `${unit}_ccy` }),
    ...(reduceOnly && { reduceOnly }),
  }
  if (isConditional(plan)) {
    const leg = isTakeProfit(plan) ? 'tp' : 'sl'
    const prices = {
      [`${leg}TriggerPx`]: plan.triggerPrice,
      [`${leg}TriggerPxType`]: isSpot ? 'last' : (plan.trigger ?? 'mark'),
      [`${leg}OrdPx`]: isMarket ? '-1' : price,
    }
    const named = { call: 'order-algo', ordType: 'conditional', algoClOrdId: name }
    return { path, params: { ...named, ...shared, ...prices } }
  }
  const priced = isMarket ? { ordType: 'market' } : { ordType: orderTypes[timeInForce], px: price }
  // Without it a market order that the balance does not cover would be made smaller.
  const whole = isSpot && isMarket && { banAmend: true }
  return { path, params: { call: 'order', clOrdId: name, ...shared, ...priced, ...whole } }
}

type Fields = Partial<Record<string, string>>

// An order that a conditional one became has amounts, the name of that, and an id of its own beside the `algoId`.
const isWaiting = (row: Fields): boolean => row['accFillSz'] === undefined
const idOf = (row: Fields): string | undefined => row[isWaiting(row) ? 'algoId' : 'ordId']

function completeOrder(order: VenueOrder, info: unknown): Pick<FoundOrder, 'order' | 'became' | 'refusal'> {
  const row = info as Fields
  const { algoClOrdId, clOrdId, tag = '', ordType = '' } = row
  const name = algoClOrdId || clOrdId || ''
  const clientOrderId = name.length === longestName && ourMark.test(tag) ? name + tag : name
  const isConditional = algoClOrdId !== '' && algoClOrdId !== undefined
  const named = { ...order, venueOrderId: idOf(row) ?? '', clientOrderId, isConditional }
  if (isWaiting(row)) return completeConditional(named, row)
  // "Order details": 31, a post-only order would have taken.
  if (row['cancelSource'] === '31' && isZero(order.filled)) {
    const refusal = { code: 'E509', error: 'The exchange refused: the post-only order would take' }
    return { order: { ...named, status: 'rejected' }, refusal }
  }
  const isImmediate = ['market', 'ioc', 'fok', 'optimal_limit_ioc'].includes(ordType)
  const status = order.status === 'canceled' && isImmediate ? 'expired' : order.status
  const isByValue = row['tgtCcy'] === 'quote_ccy' && ordType === 'market'
  return { order: { ...named, status, quantity: isByValue ? order.filled : order.quantity } }
}

function completeConditional(order: VenueOrder, row: Fields): Pick<FoundOrder, 'order' | 'became'> {
  const leg = row['slTriggerPx'] ? 'sl' : 'tp'
  const [triggerPrice = '', limit = '', { state, ordId }] = [row[`${leg}TriggerPx`], row[`${leg}OrdPx`], row]
  // "Algo order details": `ordId` will be deprecated, and `ordIdList` is in its place.
  const { ordIdList = [] } = row as { ordIdList?: readonly string[] }
  const isMarket = limit === '-1'
  const [market, limited] =
    leg === 'sl' ? (['stop', 'stopLimit'] as const) : (['takeProfit', 'takeProfitLimit'] as const)
  const isKnown = row['ordType'] === 'conditional' && triggerPrice !== ''
  const waiting: VenueOrder = {
    ...{ ...order, isConditional: true },
    type: isKnown ? (isMarket ? market : limited) : 'other',
    ...{ triggerPrice: triggerPrice || null, price: isMarket ? null : limit || null },
    status: state === 'canceled' ? 'canceled' : state === 'order_failed' ? 'rejected' : 'untriggered',
    // By value only by hand.
    quantity: row['tgtCcy'] === 'quote_ccy' ? '0' : order.quantity,
  }
  return { order: waiting, became: state === 'effective' ? ordId || ordIdList.at(-1) : undefined }
}

const Leverages = z.tuple([z.object({ lever: Decimal })], z.unknown())
// "Order List" and "Algo order list" have no more rows in an answer.
const longestPage = 100

/** OKX's v5 interface for spot, or for swaps that are settled in their quote coin. */
export function okxDialect(kind: CcxtDialect['kind']): CcxtDialect {
  const isSpot = kind === 'spot'
  const type = isSpot ? 'spot' : 'swap'
  return {
    ...{ kind, endpoint, codes: okxCodes, refusalIn, nameOf, completeOrder },
    // All markets are of one account.
    scope: { instType: type.toUpperCase() },
    conditional: { trigger: true, ordType: 'conditional,oco' },
    nextPage: (rows) => (rows.length < longestPage ? undefined : { after: idOf(rows[0] as Fields) }),
    // May have decimals, which the library's form cuts off ("Get leverage": from 0.01).
    leverageIn: (rows) => Leverages.parse(rows)[0].lever,
    openLibrary: async (settings) => {
      const Okx = await loadExchange('okx')
      const options = { defaultType: type, fetchMarkets: { types: [type] } }
      return new Okx({ ...settings, has: { fetchCurrencies: false }, options })
    },
    headersOf: (requestPath, network, now) => ({
      ...(network === 'testnet' && { 'x-simulated-trading': '1' }),
      // "Transaction Timeouts": for plain orders alone.
      ...(requestPath.endsWith('/trade/order') && { expTime: `${now + receiveWindowMs}` }),
    }),
    placing: (plan, id, size) => placing(plan, id, size, isSpot),
    completeMarket: (market, info) => {
      // The most of a market order on spot is in USDT; up to that of a limit order the venue judges itself.
      const { maxMktSz = '', ctVal = '' } = info as Fields
      const maxQuantity = isSpot || maxMktSz === '' ? market.maxQuantity : multiply(maxMktSz, ctVal)
      const { quantityStep, minQuantity } = market
      const limitLot = { quantityStep, minQuantity, maxQuantity: market.maxQuantity }
      const features = { ...market.features, maxOpenOrders: 500, maxConditionalOrders: 100 }
      return { ...market, limitLot, maxQuantity, features }
    },
  }
}
