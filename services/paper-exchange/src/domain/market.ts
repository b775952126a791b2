import { fixed, power } from './fixed.ts'

/** Amounts of money, profit and margin are whole counts of 10^-8 of the quote coin. */
export const VALUE_SCALE = 8

/** A range of position value with the leverage it allows and the margin it must keep, in parts of 10,000. */
export type Bracket = Readonly<{
  leverage: number
  floor: bigint
  cap: bigint
  maintenance: bigint
  deduction: bigint
}>

/** What may be traded and how: prices and quantities are whole counts of 10^-precision. */
export type Market = Readonly<{
  symbol: string
  base: string
  quote: string
  kind: string
  onboardedAt: number
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
  /** How far a limit price may lie from the mark price, in parts of 10,000. */
  priceBand: bigint
  liquidationFee: string
  brackets: readonly Bracket[]
  /** The prices before anybody pins others. */
  bid: bigint
  ask: bigint
}>

type Tier = readonly [leverage: number, cap: number, maintenance: number]

const MAJOR: readonly Tier[] = [
  [125, 300_000, 40],
  [100, 800_000, 50],
  [75, 3_000_000, 65],
  [50, 12_000_000, 100],
  [25, 70_000_000, 200],
  [20, 100_000_000, 250],
  [10, 230_000_000, 500],
  [5, 480_000_000, 1000],
  [4, 600_000_000, 1250],
  [3, 800_000_000, 1500],
  [2, 1_200_000_000, 2500],
  [1, 1_800_000_000, 5000],
]

const MINOR: readonly Tier[] = [
  [75, 10_000, 50],
  [50, 80_000, 100],
  [40, 400_000, 150],
  [25, 2_000_000, 200],
  [20, 8_000_000, 250],
  [10, 20_000_000, 500],
  [5, 40_000_000, 1000],
  [2, 60_000_000, 2500],
  [1, 80_000_000, 5000],
]

// The deduction makes the maintenance margin continuous from one bracket to the next.
function bracketsOf(tiers: readonly Tier[]): Bracket[] {
  const brackets: Bracket[] = []
  for (const [leverage, whole, rate] of tiers) {
    const last = brackets.at(-1)
    const floor = last?.cap ?? 0n
    const maintenance = BigInt(rate)
    const deduction = last ? last.deduction + (floor * (maintenance - last.maintenance)) / 10_000n : 0n
    brackets.push({ leverage, floor, cap: BigInt(whole) * power(VALUE_SCALE), maintenance, deduction })
  }
  return brackets
}

const BRACKETS = { major: bracketsOf(MAJOR), minor: bracketsOf(MINOR) }

type Row = {
  base: string
  kind: string
  onboardedAt: number
  precision: readonly [price: number, quantity: number]
  price: readonly [tick: string, min: string, max: string]
  quantity: readonly [step: string, max: string, maxMarket: string]
  minNotional: string
  liquidationFee: string
  brackets: keyof typeof BRACKETS
  quote: readonly [bid: string, ask: string]
}

const ROWS: readonly Row[] = [
  {
    base: 'BTC',
    kind: 'PoW',
    onboardedAt: 1569398400000,
    precision: [2, 3],
    price: ['0.10', '556.80', '4529764'],
    quantity: ['0.001', '1000', '120'],
    minNotional: '100',
    liquidationFee: '0.012500',
    brackets: 'major',
    quote: ['59999.9', '60000.1'],
  },
  {
    base: 'ETH',
    kind: 'Layer-1',
    onboardedAt: 1569398400000,
    precision: [2, 3],
    price: ['0.01', '39.86', '306177'],
    quantity: ['0.001', '10000', '2000'],
    minNotional: '20',
    liquidationFee: '0.012500',
    brackets: 'major',
    quote: ['2999.99', '3000.01'],
  },
  {
    base: 'SOL',
    kind: 'Layer-1',
    onboardedAt: 1600066800000,
    precision: [4, 2],
    price: ['0.0100', '0.4200', '6857'],
    quantity: ['0.01', '1000000', '5000'],
    minNotional: '5',
    liquidationFee: '0.015000',
    brackets: 'minor',
    quote: ['149.99', '150.01'],
  },
  {
    base: 'XRP',
    kind: 'Layer-1',
    onboardedAt: 1569398400000,
    precision: [4, 1],
    price: ['0.0001', '0.0143', '100000'],
    quantity: ['0.1', '10000000', '2000000'],
    minNotional: '5',
    liquidationFee: '0.015000',
    brackets: 'minor',
    quote: ['0.5999', '0.6001'],
  },
  {
    base: 'DOGE',
    kind: 'Meme',
    onboardedAt: 1594278000000,
    precision: [6, 0],
    price: ['0.000010', '0.002440', '30'],
    quantity: ['1', '50000000', '30000000'],
    minNotional: '5',
    liquidationFee: '0.015000',
    brackets: 'minor',
    quote: ['0.11999', '0.12001'],
  },
  {
    base: 'BNB',
    kind: 'Layer-1',
    onboardedAt: 1581404400000,
    precision: [3, 2],
    price: ['0.010', '6.600', '100000'],
    quantity: ['0.01', '100000', '2000'],
    minNotional: '5',
    liquidationFee: '0.015000',
    brackets: 'minor',
    quote: ['599.99', '600.01'],
  },
  {
    base: '1000PEPE',
    kind: 'Meme',
    onboardedAt: 1683270000000,
    precision: [7, 0],
    price: ['0.0000001', '0.0000100', '200'],
    quantity: ['1', '200000000', '100000000'],
    minNotional: '5',
    liquidationFee: '0.015000',
    brackets: 'minor',
    quote: ['0.0099999', '0.0100001'],
  },
]

function marketFrom(row: Row): Market {
  const [pricePrecision, quantityPrecision] = row.precision
  const price = (text: string) => fixed(text, pricePrecision)
  const quantity = (text: string) => fixed(text, quantityPrecision)
  const step = quantity(row.quantity[0])
  return Object.freeze({
    symbol: `${row.base}USDT`,
    base: row.base,
    quote: 'USDT',
    kind: row.kind,
    onboardedAt: row.onboardedAt,
    pricePrecision,
    quantityPrecision,
    tick: price(row.price[0]),
    minPrice: price(row.price[1]),
    maxPrice: price(row.price[2]),
    step,
    minQuantity: step,
    maxQuantity: quantity(row.quantity[1]),
    maxMarketQuantity: quantity(row.quantity[2]),
    minNotional: fixed(row.minNotional, VALUE_SCALE),
    priceBand: 500n,
    liquidationFee: row.liquidationFee,
    brackets: BRACKETS[row.brackets],
    bid: price(row.quote[0]),
    ask: price(row.quote[1]),
  })
}

/** Every market of the exchange, in the order the venue lists them. */
export const MARKETS: readonly Market[] = ROWS.map(marketFrom)

const BY_SYMBOL = new Map(MARKETS.map((market) => [market.symbol, market]))

/** The market of this symbol, or undefined where there is none. */
export function findMarket(symbol: string): Market | undefined {
  return BY_SYMBOL.get(symbol)
}

/** The market of a symbol this exchange itself stored: a fault where it is gone. */
export function marketOf(symbol: string): Market {
  const market = BY_SYMBOL.get(symbol)
  if (!market) throw new Error(`no market ${symbol}`)
  return market
}

/** What a quantity is worth at a price of the market. Exact. */
export function valueAt(market: Market, quantity: bigint, price: bigint): bigint {
  return quantity * price * power(VALUE_SCALE - market.pricePrecision - market.quantityPrecision)
}

/** What a quantity is worth at a mark or index price, which has eight places. Rounded toward zero. */
export function valueAtMark(market: Market, quantity: bigint, mark: bigint): bigint {
  return (quantity * mark) / power(market.quantityPrecision)
}

/** The bracket a position of this value falls into. */
export function bracketFor(market: Market, value: bigint): Bracket {
  const found = market.brackets.find((bracket) => value <= bracket.cap) ?? market.brackets.at(-1)
  if (!found) throw new Error(`${market.symbol} has no brackets`)
  return found
}

/** The largest position value this leverage allows. */
export function maxValueAt(market: Market, leverage: number): bigint {
  return market.brackets.filter((bracket) => bracket.leverage >= leverage).at(-1)?.cap ?? 0n
}
