import { isZero, multiply } from '@tripline/proto/decimal'
import { z } from 'zod'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { isConditional, isTakeProfit, type OrderPlan, type VenueOrder } from '../../domain/order/order.ts'
import type { CcxtDialect, CcxtUsage, OrderNews } from '../ccxt/dialect.ts'
import type { EndpointDialect } from '../endpoint.ts'
import { loadExchange } from '../http/load-exchange.ts'
import { RefusalError, type VenueRefusal } from '../http/refusal.ts'
import { createLowest } from '../limits/lowest.ts'
import { parseJson } from '../read/parse-json.ts'
import { spare, Text, Whole } from '../read/read-fields.ts'
import { meaningOf, saysOf } from './codes.ts'

const Time = z.object({ data: z.tuple([z.object({ ts: Whole })]) })
const isResting = ({ restsUntil }: CcxtUsage): boolean => performance.now() < restsUntil

/** OKX's clock. It bans no address: what came too often is refused for the 2 s that its limits count. */
const endpoint: EndpointDialect<CcxtUsage> = {
  timePath: '/api/v5/public/time',
  readTime: (body) => Time.parse(parseJson(body)).data[0].ts,
  createUsage: () => ({ accounts: createLowest(), restsUntil: 0 }),
  heed: () => undefined,
  isBanned: isResting,
  refuseWhileBanned: (usage) => {
    if (isResting(usage)) throw new RefusalError({ status: 429, code: 50011, text: 'too many requests' })
  },
  budgetLeft: (usage) => (isResting(usage) ? 0 : 1),
}

const text = (field: string) => spare(field, Text, '')
const Verdict = z.object({ sCode: text('sCode'), sMsg: text('sMsg') })
const Answer = z.object({ code: Whole, msg: text('msg'), data: spare('data', z.array(z.unknown()), []) })

/** Returns the no in an answer: of its first row, or of the whole. */
function refusalIn(status: number, body: unknown): VenueRefusal | undefined {
  const answer = Answer.safeParse(body).data
  if (answer === undefined) return { status, code: 0, text: `answered with status ${status}` }
  if (answer.code === 0 && status < 300) return undefined
  const { sCode = '', sMsg = '' } = Verdict.safeParse(answer.data[0]).data ?? {}
  const isOfRow = sCode !== '' && sCode !== '0'
  return { status, code: isOfRow ? Number(sCode) : answer.code, text: isOfRow ? sMsg : answer.msg }
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
  const shared = {
    ...{ instId, tdMode: isSpot ? 'cash' : 'cross', side, sz: quoteQuantity ?? size },
    ...(tag !== '' && { tag }),
    ...(isSpot && isMarket && { tgtCcy: quoteQuantity === undefined ? 'base_ccy' : 'quote_ccy' }),
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

type Row = Partial<Record<string, string>>

function completeOrder(order: VenueOrder, info: unknown): Pick<OrderNews, 'order' | 'became' | 'refusal'> {
  const row = info as Row
  const { algoClOrdId, clOrdId, tag = '', ordType = '' } = row
  const name = algoClOrdId || clOrdId || ''
  const clientOrderId = name.length === longestName && ourMark.test(tag) ? name + tag : name
  const named = { ...order, clientOrderId, isConditional: algoClOrdId !== '' && algoClOrdId !== undefined }
  // An order that a conditional one became has amounts, and the name of that.
  if (row['accFillSz'] === undefined) return completeConditional(named, row)
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

function completeConditional(order: VenueOrder, row: Row): Pick<OrderNews, 'order' | 'became'> {
  const leg = row['slTriggerPx'] ? 'sl' : 'tp'
  const [triggerPrice = '', limit = '', { state, ordId }] = [row[`${leg}TriggerPx`], row[`${leg}OrdPx`], row]
  const isMarket = limit === '-1'
  const [market, limited] =
    leg === 'sl' ? (['stop', 'stopLimit'] as const) : (['takeProfit', 'takeProfitLimit'] as const)
  const isKnown = row['ordType'] === 'conditional' && triggerPrice !== ''
  const waiting: VenueOrder = {
    ...{ ...order, venueOrderId: row['algoId'] ?? '', isConditional: true },
    type: isKnown ? (isMarket ? market : limited) : 'other',
    ...{ triggerPrice: triggerPrice || null, price: isMarket ? null : limit || null },
    status: state === 'canceled' ? 'canceled' : state === 'order_failed' ? 'rejected' : 'untriggered',
  }
  return { order: waiting, became: state === 'effective' ? ordId || undefined : undefined }
}

/** OKX's v5 interface for spot, or for swaps that are settled in their quote coin. */
export function okxDialect(kind: CcxtDialect['kind']): CcxtDialect {
  const isSpot = kind === 'spot'
  const type = isSpot ? 'spot' : 'swap'
  return {
    ...{ kind, endpoint, refusalIn, saysOf, meaningOf, nameOf, completeOrder },
    conditional: { trigger: true, ordType: 'conditional,oco' },
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
      const { maxMktSz = '', ctVal = '' } = info as Row
      const maxQuantity = isSpot || maxMktSz === '' ? market.maxQuantity : multiply(maxMktSz, ctVal)
      const { quantityStep, minQuantity } = market
      const limitLot = { quantityStep, minQuantity, maxQuantity: market.maxQuantity }
      const features = { ...market.features, maxOpenOrders: 500, maxConditionalOrders: 100 }
      return { ...market, limitLot, maxQuantity, features }
    },
  }
}
