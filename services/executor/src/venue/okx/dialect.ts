import { isZero, multiply } from '@tripline/proto/decimal'
import { z } from 'zod'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { isConditional, isTakeProfit, type OrderPlan, type VenueOrder } from '../../domain/order/order.ts'
import { RefusalError } from '../ccxt/client.ts'
import type { CcxtDialect, CcxtUsage, OrderMore, VenueRefusal } from '../ccxt/dialect.ts'
import type { EndpointDialect } from '../endpoint.ts'
import { createLowest } from '../limits/lowest.ts'
import { parseJson } from '../read/parse-json.ts'
import { Decimal, readFrom, spare, Text, Whole } from '../read/read-fields.ts'
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

/** Returns the no in an answer: of the whole, or of its first row. */
function refusalIn(status: number, body: unknown): VenueRefusal | undefined {
  const answer = Answer.safeParse(body).data
  if (answer === undefined) return { status, code: 0, text: `answered with status ${status}` }
  if (answer.code === 0 && status < 300) return undefined
  const { sCode, sMsg } = Verdict.safeParse(answer.data[0]).data ?? { sCode: '', sMsg: '' }
  return sCode === '' || sCode === '0'
    ? { status, code: answer.code, text: answer.msg }
    : { status, code: Number(sCode), text: sMsg }
}

// Names have at most 32 characters, letters and digits ("Place order"); the mark of a tag goes in a field beside.
const longestName = 32
const nameOf = (clientOrderId: string): string => clientOrderId.slice(0, longestName)
const tagOf = (clientOrderId: string): object => {
  const tag = clientOrderId.slice(longestName)
  return tag === '' ? {} : { tag }
}
const ourTag = /^[0-9A-V]{4}$/
const types = { gtc: 'limit', ioc: 'ioc', fok: 'fok', postOnly: 'post_only' } as const

/** The request for an order. The call is a parameter of the path, since the library gives algo orders it knows a name and tag of its own. */
function placing(plan: OrderPlan, instId: string, size: string, isSpot: boolean) {
  const { side, clientOrderId, price, quoteQuantity, timeInForce = 'gtc', reduceOnly, type } = plan
  const isMarket = type === 'market' || type === 'stop' || type === 'takeProfit'
  const shared = {
    ...{
      instId,
      tdMode: isSpot ? 'cash' : 'cross',
      side,
      sz: quoteQuantity ?? size,
      ...tagOf(clientOrderId),
    },
    ...(isSpot && isMarket && { tgtCcy: quoteQuantity === undefined ? 'base_ccy' : 'quote_ccy' }),
    ...(reduceOnly && { reduceOnly: true }),
  }
  if (isConditional(plan)) {
    const leg = isTakeProfit(plan) ? 'tp' : 'sl'
    const trigger = isSpot ? 'last' : (plan.trigger ?? 'mark')
    const prices = {
      [`${leg}TriggerPx`]: plan.triggerPrice,
      [`${leg}TriggerPxType`]: trigger,
      [`${leg}OrdPx`]: isMarket ? '-1' : price,
    }
    const named = { call: 'order-algo', ordType: 'conditional', algoClOrdId: nameOf(clientOrderId) }
    return { path: 'trade/{call}', params: { ...named, ...shared, ...prices } }
  }
  const priced = isMarket ? { ordType: 'market' } : { ordType: types[timeInForce], px: price }
  // Without it a market order that the balance does not cover would be made smaller.
  const whole = isSpot && isMarket ? { banAmend: true } : {}
  return {
    path: 'trade/{call}',
    params: { call: 'order', clOrdId: nameOf(clientOrderId), ...shared, ...priced, ...whole },
  }
}

const Row = z.object({
  ...{ clOrdId: text('clOrdId'), algoClOrdId: text('algoClOrdId'), tag: text('tag'), ordId: text('ordId') },
  ...{ algoId: text('algoId'), ordType: text('ordType'), state: text('state'), failCode: text('failCode') },
  ...{
    cancelSource: text('cancelSource'),
    tgtCcy: text('tgtCcy'),
    accFillSz: spare('accFillSz', Decimal, undefined),
  },
  ...{
    slTriggerPx: text('slTriggerPx'),
    slOrdPx: text('slOrdPx'),
    tpTriggerPx: text('tpTriggerPx'),
    tpOrdPx: text('tpOrdPx'),
  },
})

function readOrder(venue: CcxtDialect['venue'], order: VenueOrder, info: unknown): OrderMore {
  const row = readFrom({ venue, call: 'order' }, Row, info)
  const name = row.algoClOrdId || row.clOrdId
  const clientOrderId = name.length === longestName && ourTag.test(row.tag) ? name + row.tag : name
  // An order that a conditional one became has amounts, and the name of that.
  if (row.accFillSz === undefined) return { clientOrderId, ...readConditional(row) }
  const isByValue = row.tgtCcy === 'quote_ccy' && row.ordType === 'market'
  const isImmediate = ['market', 'ioc', 'fok', 'optimal_limit_ioc'].includes(row.ordType)
  // "Order details": 31, a post-only order would have taken.
  const isPostOnly = row.cancelSource === '31' && isZero(order.filled)
  return {
    ...{ clientOrderId, isConditional: row.algoClOrdId !== '' },
    ...(isByValue && { quantity: order.filled }),
    ...(order.status === 'canceled' && isImmediate && { status: 'expired' as const }),
    ...(isPostOnly && { status: 'rejected' as const }),
    ...(isPostOnly && {
      refusal: { code: 'E509', error: 'The exchange refused: the post-only order would take' },
    }),
  }
}

function readConditional(row: z.infer<typeof Row>): OrderMore {
  const isStop = row.slTriggerPx !== ''
  const [triggerPrice, limit] = isStop ? [row.slTriggerPx, row.slOrdPx] : [row.tpTriggerPx, row.tpOrdPx]
  const isMarket = limit === '-1'
  const isKnown = row.ordType === 'conditional' && triggerPrice !== ''
  const type = isStop ? (isMarket ? 'stop' : 'stopLimit') : isMarket ? 'takeProfit' : 'takeProfitLimit'
  return {
    ...{ venueOrderId: row.algoId, isConditional: true, type: isKnown ? type : 'other' },
    ...{ triggerPrice: triggerPrice || null, price: isMarket || limit === '' ? null : limit },
    status: row.state === 'canceled' ? 'canceled' : row.state === 'order_failed' ? 'rejected' : 'untriggered',
    became: row.state === 'effective' && row.ordId !== '' ? row.ordId : undefined,
  }
}

const Sizes = z.object({
  maxMktSz: spare('maxMktSz', Decimal, undefined),
  ctVal: spare('ctVal', Decimal, '1'),
})

/** OKX's v5 interface for spot, or for swaps that are settled in their quote coin. */
export function okxDialect(kind: CcxtDialect['kind']): CcxtDialect {
  const isSpot = kind === 'spot'
  const venue = `okx-${kind}` as const
  const type = isSpot ? 'spot' : 'swap'
  return {
    ...{ kind, venue, endpoint, refusalIn, saysOf, meaningOf, nameOf },
    openLibrary: async (settings) => {
      // On first use only: the library takes a third of a second to load.
      const { okx } = await import('ccxt')
      const options = { defaultType: type, fetchMarkets: { types: [type] } }
      return new okx({ ...settings, has: { fetchCurrencies: false }, options })
    },
    headersOf: (path, network, now) => ({
      ...(network === 'testnet' && { 'x-simulated-trading': '1' }),
      // "Transaction Timeouts": for plain orders alone.
      ...(path.endsWith('/trade/order') && { expTime: `${now + receiveWindowMs}` }),
    }),
    placing: (plan, id, size) => placing(plan, id, size, isSpot),
    readOrder: (order, row) => readOrder(venue, order, row),
    readMarket: (market, row) => {
      // The most of a market order on spot is in USDT; up to that of a limit order the venue judges itself.
      const { maxMktSz, ctVal } = readFrom({ venue, call: 'instruments' }, Sizes, row)
      const maxQuantity = isSpot || maxMktSz === undefined ? market.maxQuantity : multiply(maxMktSz, ctVal)
      const features = { ...market.features, maxOpenOrders: 500, maxConditionalOrders: 100 }
      return { ...market, limitLot: { ...market }, maxQuantity, features }
    },
    conditional: { trigger: true, ordType: 'conditional,oco' },
  }
}
