import { isZero, multiply, negate } from '@tripline/proto/decimal'
import type { Exchange, MarketInterface } from 'ccxt'
import { z } from 'zod'
import type { StatedOrder, StatedPosition } from '../../domain/account/statement.ts'
import type { Market } from '../../domain/order/market.ts'
import type { OrderStatus, VenueOrder } from '../../domain/order/order.ts'
import { Decimal, Flag, readFrom, spare, Text, Whole } from '../read/read-fields.ts'
import type { CcxtDialect, OrderMore } from './dialect.ts'

// No order is as large: what the venue does not bound it refuses itself.
const unbounded = '1000000000000000'
const amount = (field: string) => spare(field, Decimal, undefined)
const Listed = z.object({
  ...{ base: Text, quote: Text, active: spare('active', Flag, true) },
  contractSize: spare('contractSize', Decimal, '1'),
  precision: z.object({ amount: Decimal, price: Decimal }),
  limits: z.object({
    amount: z.object({ min: amount('min'), max: amount('max') }),
    leverage: z.object({ max: amount('max') }),
  }),
})

/** A market with the library's form of it. */
export interface ListedMarket {
  market: Market
  /** The library's symbol, the venue's id, and what one contract is of the base coin. */
  name: string
  id: string
  contract: string
}

/** The markets of a kind that positions of are settled in their quote coin, by our symbol; one that cannot be read hides no other. */
export function listMarkets({ markets }: Exchange, dialect: CcxtDialect): ReadonlyMap<string, ListedMarket> {
  const listed = Object.values(markets ?? {}).flatMap((one) => {
    const isMeant = dialect.kind === 'spot' ? one?.spot : one?.swap && one.linear
    if (!isMeant || one === undefined) return []
    try {
      const read = readMarket(one, dialect)
      return [[read.market.symbol, read] as const]
    } catch {
      return []
    }
  })
  return new Map(listed)
}

function readMarket(row: NonNullable<MarketInterface>, dialect: CcxtDialect): ListedMarket {
  const { kind } = dialect
  const source = { venue: dialect.venue, call: 'markets' } as const
  const { base, quote, active, contractSize: contract, precision, limits } = readFrom(source, Listed, row)
  const sized = (contracts: string): string => multiply(contracts, contract)
  const quantityStep = sized(precision.amount)
  const minQuantity = sized(limits.amount.min ?? precision.amount)
  const maxQuantity = sized(limits.amount.max ?? unbounded)
  const isSpot = kind === 'spot'
  const triggers: Market['features']['triggers'] = isSpot ? ['last'] : ['last', 'mark', 'index']
  const market: Market = {
    ...{ symbol: `${base}${quote}`, kind, base, quote, isTrading: active },
    ...{ quantityStep, minQuantity, maxQuantity, priceTick: precision.price },
    ...{ minNotional: '0', priceBand: undefined, maxLeverage: isSpot ? undefined : limits.leverage.max },
    features: {
      ...{
        nativeOco: false,
        conditional: true,
        reduceOnly: !isSpot,
        hedge: false,
        leverage: !isSpot,
        triggers,
      },
      ...{ maxOpenOrders: undefined, maxConditionalOrders: undefined },
    },
  }
  return { market: dialect.readMarket(market, row.info), name: row.symbol ?? '', id: row.id ?? '', contract }
}

const Order = z.object({
  ...{ id: Text, symbol: Text, side: z.enum(['buy', 'sell']), type: spare('type', Text, ''), status: Text },
  ...{ amount: amount('amount'), filled: spare('filled', Decimal, '0'), average: amount('average') },
  ...{ price: amount('price'), reduceOnly: spare('reduceOnly', Flag, false) },
  fee: spare('fee', z.object({ cost: Decimal, currency: Text }), undefined),
  timestamp: spare('timestamp', Whole, null),
  lastUpdateTimestamp: spare('lastUpdateTimestamp', Whole, null),
})
const statuses: Readonly<Record<string, OrderStatus>> = {
  closed: 'filled',
  canceled: 'canceled',
  rejected: 'rejected',
}

/** An order with what its row says beside. */
export interface OrderNews extends StatedOrder, Pick<OrderMore, 'became' | 'refusal'> {}

/** Reads an order of the library's, in our amounts. */
export function readOrder(
  row: object,
  dialect: CcxtDialect,
  contractOf: (name: string) => string,
): OrderNews {
  const source = { venue: dialect.venue, call: 'order' } as const
  const read = readFrom(source, Order, row)
  const sized = (contracts: string): string => multiply(contracts, contractOf(read.symbol))
  const { fee, type } = read
  const order: VenueOrder = {
    ...{
      venueOrderId: read.id,
      clientOrderId: '',
      side: read.side,
      triggerPrice: null,
      isConditional: false,
    },
    ...{
      quantity: sized(read.amount ?? read.filled),
      filled: sized(read.filled),
      reduceOnly: read.reduceOnly,
    },
    status: statuses[read.status] ?? (isZero(read.filled) ? 'open' : 'partially_filled'),
    type: type === 'market' || type === 'limit' ? type : 'other',
    averagePrice: isZero(read.filled) ? null : (read.average ?? null),
    price: type === 'market' ? null : (read.price ?? null),
    fee: fee === undefined ? null : { amount: fee.cost, coin: fee.currency },
    updatedAt: read.lastUpdateTimestamp,
  }
  const { became, refusal, ...more } = dialect.readOrder(order, (row as { info?: unknown }).info)
  return {
    symbol: symbolOf(read.symbol),
    createdAt: read.timestamp,
    order: { ...order, ...more },
    became,
    refusal,
  }
}

/** Our symbol of the library's, such as BTCUSDT of BTC/USDT:USDT. */
export function symbolOf(name: string | undefined): string {
  return (name ?? '').replace(/:.*$/, '').replace('/', '')
}

const Position = z.object({
  ...{
    symbol: Text,
    side: spare('side', z.enum(['long', 'short']), 'long'),
    contracts: spare('contracts', Decimal, '0'),
  },
  ...{ contractSize: spare('contractSize', Decimal, '1'), marginMode: spare('marginMode', Text, 'cross') },
  ...{ entryPrice: spare('entryPrice', Decimal, null), markPrice: spare('markPrice', Decimal, null) },
  ...{
    unrealizedPnl: spare('unrealizedPnl', Decimal, null),
    initialMargin: spare('initialMargin', Decimal, null),
  },
  liquidationPrice: spare('liquidationPrice', Decimal, null),
  lastUpdateTimestamp: spare('lastUpdateTimestamp', Whole, undefined),
})

/** A position, the margin it is kept by, and when it changed last. */
export interface CcxtPosition extends StatedPosition {
  marginMode: string
  changedAt: number | undefined
}

/** Reads a position of the library's, in our amounts. */
export function readPosition(row: unknown, venue: CcxtDialect['venue']): CcxtPosition {
  const read = readFrom({ venue, call: 'position' }, Position, row)
  const { entryPrice, markPrice, unrealizedPnl, liquidationPrice, marginMode } = read
  const held = multiply(read.contracts, read.contractSize)
  return {
    ...{ symbol: symbolOf(read.symbol), side: 'both', quantity: read.side === 'short' ? negate(held) : held },
    ...{ entryPrice, markPrice, unrealizedPnl, liquidationPrice, marginMode },
    ...{ margin: read.initialMargin, changedAt: read.lastUpdateTimestamp },
  }
}
