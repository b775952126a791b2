import { isZero, multiply, negate, plain } from '@tripline/proto/decimal'
import type { Exchange, MarketInterface, Order, Position } from 'ccxt'
import type { StatedPosition } from '../../domain/account/statement.ts'
import type { Market } from '../../domain/order/market.ts'
import type { OrderStatus, VenueOrder } from '../../domain/order/order.ts'
import type { CcxtDialect, FoundOrder } from './dialect.ts'

/** A market, the library's symbol and the venue's id of it, and what one contract is of the base coin. */
export interface ListedMarket {
  market: Market
  name: string
  id: string
  contract: string
}

/** A position, its margin mode, and when it changed last. */
export interface CcxtPosition extends StatedPosition {
  marginMode: string | undefined
  changedAt: number | undefined
}

// No order is as large: where the venue states no bound it refuses orders itself.
const unbounded = '1000000000000000'

/** Our symbol of the library's, such as BTCUSDT of BTC/USDT:USDT. */
export function symbolOf(name: string | undefined): string {
  return (name ?? '').replace(/:.*$/, '').replace('/', '')
}

/** A number of the library's, which comes as text; throws for what is none. */
export function decimal(number: unknown): string | undefined {
  return number === undefined || number === null ? undefined : plain(String(number))
}

/** The markets of a kind by our symbol; one that cannot be read hides no other. */
export function listMarkets(
  { markets = {} }: Exchange,
  dialect: CcxtDialect,
): ReadonlyMap<string, ListedMarket> {
  const isMeant = (row: MarketInterface): boolean | undefined =>
    dialect.kind === 'spot' ? row?.spot : row?.swap && row.linear
  const listed = Object.values(markets).flatMap((row) => {
    try {
      return isMeant(row) ? [readMarket(row, dialect)] : []
    } catch {
      return []
    }
  })
  return new Map(listed.map((one) => [one.market.symbol, one]))
}

function readMarket(row: MarketInterface, dialect: CcxtDialect): ListedMarket {
  const {
    symbol: name = '',
    id = '',
    base = '',
    quote = '',
    active,
    contractSize,
    precision,
    limits,
    info,
  } = row ?? {}
  const contract = decimal(contractSize) ?? '1'
  const [step, priceTick] = [decimal(precision?.amount), decimal(precision?.price)]
  if (step === undefined || priceTick === undefined) throw new Error('no step')
  const sized = (contracts: string): string => multiply(contracts, contract)
  const isSpot = dialect.kind === 'spot'
  const market: Market = {
    ...{ symbol: base + quote, kind: dialect.kind, base, quote, isTrading: active !== false, priceTick },
    quantityStep: sized(step),
    minQuantity: sized(decimal(limits?.amount?.min) ?? step),
    maxQuantity: sized(decimal(limits?.amount?.max) ?? unbounded),
    ...{
      minNotional: '0',
      priceBand: undefined,
      maxLeverage: isSpot ? undefined : decimal(limits?.leverage?.max),
    },
    features: {
      ...{ nativeOco: false, conditional: true, reduceOnly: !isSpot, hedge: false, leverage: !isSpot },
      triggers: isSpot ? ['last'] : ['last', 'mark', 'index'],
      ...{ maxOpenOrders: undefined, maxConditionalOrders: undefined },
    },
  }
  return { market: dialect.completeMarket(market, info), name, id, contract }
}

const statuses: Readonly<Record<string, OrderStatus>> = {
  closed: 'filled',
  canceled: 'canceled',
  rejected: 'rejected',
}

/** Reads an order of the library's, in our amounts. */
export function readOrder(row: Order, dialect: CcxtDialect, contract: string): FoundOrder {
  const { id = '', symbol = '', side, type, fee, average, price, info } = row
  if (side !== 'buy' && side !== 'sell') throw new Error('an order without a side')
  const sized = (contracts: string): string => multiply(contracts, contract)
  const filled = decimal(row.filled) ?? '0'
  const cost = decimal(fee?.cost)
  const order: VenueOrder = {
    ...{ venueOrderId: id, clientOrderId: '', side, triggerPrice: null, isConditional: false },
    type: type === 'market' || type === 'limit' ? type : 'other',
    status: statuses[row.status ?? ''] ?? (isZero(filled) ? 'open' : 'partially_filled'),
    ...{
      quantity: sized(decimal(row.amount) ?? filled),
      filled: sized(filled),
      reduceOnly: row.reduceOnly === true,
    },
    averagePrice: isZero(filled) ? null : (decimal(average) ?? null),
    price: type === 'market' ? null : (decimal(price) ?? null),
    fee: cost === undefined || fee?.currency === undefined ? null : { amount: cost, coin: fee.currency },
    updatedAt: row.lastUpdateTimestamp ?? null,
  }
  const createdAt = row.timestamp ?? null
  return { symbol: symbolOf(symbol), createdAt, ...dialect.completeOrder(order, info) }
}

/** Reads a position of the library's, in our amounts. */
export function readPosition(row: Position): CcxtPosition {
  const orNull = (number: unknown): string | null => decimal(number) ?? null
  const held = multiply(decimal(row.contracts) ?? '0', decimal(row.contractSize) ?? '1')
  return {
    ...{ symbol: symbolOf(row.symbol), side: 'both', quantity: row.side === 'short' ? negate(held) : held },
    ...{
      entryPrice: orNull(row.entryPrice),
      markPrice: orNull(row.markPrice),
      margin: orNull(row.initialMargin),
    },
    ...{ unrealizedPnl: orNull(row.unrealizedPnl), liquidationPrice: orNull(row.liquidationPrice) },
    ...{ marginMode: row.marginMode, changedAt: row.lastUpdateTimestamp },
  }
}
