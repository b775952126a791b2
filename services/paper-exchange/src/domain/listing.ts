import { BRACKETS, type Bracket } from './bracket.ts'
import { fixed } from './fixed.ts'

const VALUE_PLACES = 8

/** A tradable symbol and its rules: prices and quantities are whole counts of 10^-precision. */
export type Listing = Readonly<{
  venue: 'binance-spot' | 'binance-futures' | 'bybit-spot' | 'bybit-linear' | 'okx-spot' | 'okx-linear'
  kind: 'spot' | 'linear'
  symbol: string
  base: string
  quote: string
  pricePrecision: number
  quantityPrecision: number
  tick: bigint
  minPrice: bigint
  maxPrice: bigint
  step: bigint
  minQuantity: bigint
  maxQuantity: bigint
  maxMarketQuantity: bigint
  minNotional: bigint
  /** The distance that a limit price may have from the mark (linear) or last price (spot), in parts of 10,000. */
  band: Readonly<{ up: bigint; down: bigint }>
  maxOrders: number
  maxConditionalOrders: number
  /** Fees are parts of 1,000,000 of the value. */
  makerFee: bigint
  takerFee: bigint
  /** Empty on spot. */
  brackets: readonly Bracket[]
  /** Parts of 1,000,000 of the value; zero on spot. */
  liquidationFee: bigint
  /** The prices before anybody pins others. */
  bid: bigint
  ask: bigint
}>

type Venue = Listing['venue']

type Row = readonly [
  base: string,
  precision: readonly [price: number, quantity: number],
  price: readonly [tick: string, min: string, max: string],
  quantity: readonly [step: string, min: string, max: string, maxMarket: string],
  minNotional: string,
]

type Terms = Readonly<{
  kind: Listing['kind']
  band: Listing['band']
  maxOrders: number
  maxConditionalOrders: number
  makerFee: bigint
  takerFee: bigint
  majorBrackets: Listing['brackets']
  minorBrackets: Listing['brackets']
  liquidationFee: Readonly<{ major: bigint; minor: bigint }>
}>

const MAJORS = ['BTC', 'ETH']
const NO_LIQUIDATION = { major: 0n, minor: 0n }

const TERMS: Readonly<Record<Venue, Terms>> = {
  'binance-spot': {
    kind: 'spot',
    band: { up: 40_000n, down: 8_000n },
    maxOrders: 200,
    maxConditionalOrders: 5,
    makerFee: 1000n,
    takerFee: 1000n,
    majorBrackets: BRACKETS.none,
    minorBrackets: BRACKETS.none,
    liquidationFee: NO_LIQUIDATION,
  },
  'binance-futures': {
    kind: 'linear',
    band: { up: 500n, down: 500n },
    maxOrders: 200,
    maxConditionalOrders: 200,
    makerFee: 200n,
    takerFee: 500n,
    majorBrackets: BRACKETS.binanceMajor,
    minorBrackets: BRACKETS.binanceMinor,
    liquidationFee: { major: 12_500n, minor: 15_000n },
  },
  'bybit-spot': {
    kind: 'spot',
    band: { up: 1_000n, down: 1_000n },
    maxOrders: 500,
    maxConditionalOrders: 30,
    makerFee: 1000n,
    takerFee: 1000n,
    majorBrackets: BRACKETS.none,
    minorBrackets: BRACKETS.none,
    liquidationFee: NO_LIQUIDATION,
  },
  'bybit-linear': {
    kind: 'linear',
    band: { up: 500n, down: 500n },
    maxOrders: 500,
    maxConditionalOrders: 10,
    makerFee: 200n,
    takerFee: 550n,
    majorBrackets: BRACKETS.bybitMajor,
    minorBrackets: BRACKETS.bybitMinor,
    liquidationFee: { major: 5_000n, minor: 7_500n },
  },
  // Orders by "General Info" and fees of a regular user; brackets are as at Bybit.
  'okx-spot': {
    kind: 'spot',
    band: { up: 500n, down: 500n },
    maxOrders: 500,
    maxConditionalOrders: 100,
    makerFee: 800n,
    takerFee: 1000n,
    majorBrackets: BRACKETS.none,
    minorBrackets: BRACKETS.none,
    liquidationFee: NO_LIQUIDATION,
  },
  'okx-linear': {
    kind: 'linear',
    band: { up: 500n, down: 500n },
    maxOrders: 500,
    maxConditionalOrders: 100,
    makerFee: 200n,
    takerFee: 500n,
    majorBrackets: BRACKETS.bybitMajor,
    minorBrackets: BRACKETS.bybitMinor,
    liquidationFee: { major: 5_000n, minor: 7_500n },
  },
}

/** The price of a coin before anybody pins another, bid and ask. */
const START: Readonly<Record<string, readonly [bid: string, ask: string]>> = {
  BTC: ['59999.9', '60000.1'],
  ETH: ['2999.99', '3000.01'],
  SOL: ['149.99', '150.01'],
  XRP: ['0.5999', '0.6001'],
  DOGE: ['0.11999', '0.12001'],
  BNB: ['599.9', '600.1'],
  PEPE: ['0.00000999', '0.00001001'],
  '1000PEPE': ['0.0099999', '0.0100001'],
}

const ROWS: Readonly<Record<Venue, readonly Row[]>> = {
  'binance-spot': [
    ['BTC', [2, 5], ['0.01', '0.01', '1000000'], ['0.00001', '0.00001', '9000', '120'], '5'],
    ['ETH', [2, 4], ['0.01', '0.01', '1000000'], ['0.0001', '0.0001', '9000', '2500'], '5'],
    ['SOL', [2, 3], ['0.01', '0.01', '10000'], ['0.001', '0.001', '90000', '50000'], '5'],
    ['XRP', [4, 1], ['0.0001', '0.0001', '10000'], ['0.1', '0.1', '9222449', '4000000'], '5'],
    ['DOGE', [5, 0], ['0.00001', '0.00001', '1000'], ['1', '1', '9000000', '8000000'], '1'],
    ['BNB', [2, 3], ['0.01', '0.01', '100000'], ['0.001', '0.001', '900000', '5000'], '5'],
    ['PEPE', [8, 0], ['0.00000001', '0.00000001', '1'], ['1', '1', '92141578903', '60000000000'], '1'],
  ],
  'binance-futures': [
    ['BTC', [2, 3], ['0.10', '556.80', '4529764'], ['0.001', '0.001', '1000', '120'], '100'],
    ['ETH', [2, 3], ['0.01', '39.86', '306177'], ['0.001', '0.001', '10000', '2000'], '20'],
    ['SOL', [4, 2], ['0.0100', '0.4200', '6857'], ['0.01', '0.01', '1000000', '5000'], '5'],
    ['XRP', [4, 1], ['0.0001', '0.0143', '100000'], ['0.1', '0.1', '10000000', '2000000'], '5'],
    ['DOGE', [6, 0], ['0.000010', '0.002440', '30'], ['1', '1', '50000000', '30000000'], '5'],
    ['BNB', [3, 2], ['0.010', '6.600', '100000'], ['0.01', '0.01', '100000', '2000'], '5'],
    ['1000PEPE', [7, 0], ['0.0000001', '0.0000100', '200'], ['1', '1', '200000000', '100000000'], '5'],
  ],
  'bybit-spot': [
    ['BTC', [2, 6], ['0.1', '0.1', '1999999.8'], ['0.000001', '0.000011', '83', '41'], '5'],
    ['ETH', [2, 5], ['0.01', '0.01', '199999.98'], ['0.00001', '0.0005', '2210', '1105'], '5'],
    ['SOL', [2, 3], ['0.01', '0.01', '19999.98'], ['0.001', '0.001', '19000', '9500'], '5'],
    ['XRP', [4, 2], ['0.0001', '0.0001', '1999.9998'], ['0.01', '0.01', '1000000', '500000'], '5'],
    ['DOGE', [5, 1], ['0.00001', '0.00001', '199.99998'], ['0.1', '0.1', '5000000', '2500000'], '5'],
    ['BNB', [2, 4], ['0.1', '0.1', '19999.8'], ['0.0001', '0.0001', '1500', '750'], '5'],
    ['PEPE', [8, 0], ['0.00000001', '0.00000001', '1.9999'], ['1', '1', '60000000000', '30000000000'], '5'],
  ],
  'bybit-linear': [
    ['BTC', [2, 3], ['0.10', '0.10', '1999999.80'], ['0.001', '0.001', '1190', '500'], '5'],
    ['ETH', [2, 2], ['0.01', '0.01', '199999.98'], ['0.01', '0.01', '7240', '1500'], '5'],
    ['SOL', [3, 1], ['0.010', '0.010', '19999.980'], ['0.1', '0.1', '79770', '15000'], '5'],
    ['XRP', [4, 1], ['0.0001', '0.0001', '1999.9998'], ['0.1', '0.1', '3000000', '900000'], '5'],
    ['DOGE', [5, 0], ['0.00001', '0.00001', '199.99998'], ['1', '1', '14000000', '3000000'], '5'],
    ['BNB', [2, 2], ['0.10', '0.10', '19999.80'], ['0.01', '0.01', '20000', '4000'], '5'],
    ['1000PEPE', [7, 0], ['0.0000001', '0.0000001', '1.9999999'], ['100', '100', '33000000', '9000000'], '5'],
  ],
  'okx-spot': [
    ['BTC', [1, 6], ['0.1', '0.1', '1000000'], ['0.000001', '0.00001', '9999', '9999'], '0'],
    ['ETH', [2, 6], ['0.01', '0.01', '100000'], ['0.000001', '0.0001', '99999', '99999'], '0'],
    ['SOL', [2, 6], ['0.01', '0.01', '10000'], ['0.000001', '0.01', '99999', '99999'], '0'],
    ['XRP', [4, 4], ['0.0001', '0.0001', '1000'], ['0.0001', '1', '9999999', '9999999'], '0'],
    ['DOGE', [5, 3], ['0.00001', '0.00001', '100'], ['0.001', '10', '99999999', '99999999'], '0'],
  ],
  'okx-linear': [
    ['BTC', [1, 4], ['0.1', '0.1', '1000000'], ['0.0001', '0.0001', '1000', '120'], '0'],
    ['ETH', [2, 3], ['0.01', '0.01', '100000'], ['0.001', '0.001', '10000', '1000'], '0'],
    ['SOL', [2, 2], ['0.01', '0.01', '10000'], ['0.01', '0.01', '100000', '10000'], '0'],
    ['XRP', [4, 0], ['0.0001', '0.0001', '1000'], ['1', '1', '10000000', '1000000'], '0'],
    ['DOGE', [5, 0], ['0.00001', '0.00001', '100'], ['10', '10', '100000000', '10000000'], '0'],
  ],
}

// The start price on this market's grid, which may be coarser than the coin's.
function startPrice(row: Row, index: 0 | 1): bigint {
  const [base, [places], [tick]] = row
  const fine = fixed(START[base]?.[index] ?? '1', VALUE_PLACES)
  const grid = fixed(tick, VALUE_PLACES)
  const below = fine - (fine % grid)
  const onGrid = index === 1 && below !== fine ? below + grid : below
  return onGrid / 10n ** BigInt(VALUE_PLACES - places)
}

function listingFrom(venue: Venue, row: Row): Listing {
  const [base, [pricePrecision, quantityPrecision], prices, quantities, minNotional] = row
  const [tick = 0n, minPrice = 0n, maxPrice = 0n] = prices.map((text) => fixed(text, pricePrecision))
  const [step = 0n, minQuantity = 0n, maxQuantity = 0n, maxMarketQuantity = 0n] = quantities.map((text) =>
    fixed(text, quantityPrecision),
  )
  const { majorBrackets, minorBrackets, liquidationFee, ...terms } = TERMS[venue]
  const isMajor = MAJORS.includes(base)
  return {
    ...terms,
    venue,
    symbol: `${base}USDT`,
    base,
    quote: 'USDT',
    pricePrecision,
    quantityPrecision,
    ...{ tick, minPrice, maxPrice, step, minQuantity, maxQuantity, maxMarketQuantity },
    minNotional: fixed(minNotional, VALUE_PLACES),
    brackets: isMajor ? majorBrackets : minorBrackets,
    liquidationFee: isMajor ? liquidationFee.major : liquidationFee.minor,
    bid: startPrice(row, 0),
    ask: startPrice(row, 1),
  }
}

/** The markets every exchange starts with, without their ids. */
export const LISTINGS: readonly Listing[] = Object.entries(ROWS).flatMap(([venue, rows]) =>
  rows.map((row) => listingFrom(venue as Venue, row)),
)
