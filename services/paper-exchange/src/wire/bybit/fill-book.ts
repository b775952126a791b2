import { absolute, smaller } from '../../domain/fixed.ts'
import type { MarketId } from '../../domain/market.ts'
import { type Fill, type PositionSide, signed } from '../../domain/order.ts'
import type { Entry } from '../../store/ledger.ts'

/** The part of a position that a fill closed: how much, and what that had been opened for. */
export type Closing = Readonly<{ quantity: bigint; entryValue: bigint }>

/** The sums of an order's fills. */
export type OrderFills = Readonly<{
  fee: bigint
  feeAsset: string
  realized: bigint
  closed: bigint
  entryValue: bigint
  exitValue: bigint
  count: number
}>

type Holding = { quantity: bigint; cost: bigint }
type Book = {
  read: number
  readonly holdings: Map<PositionSide, Holding>
  readonly closings: Map<number, Closing>
  readonly orders: Map<number, OrderFills>
}

const NOTHING: Closing = { quantity: 0n, entryValue: 0n }
const NO_FILLS: OrderFills = {
  fee: 0n,
  feeAsset: '',
  realized: 0n,
  closed: 0n,
  entryValue: 0n,
  exitValue: 0n,
  count: 0,
}

const books = new WeakMap<Entry, Map<MarketId, Book>>()

/** Returns the part of the position that the fill closed; nothing on spot. */
export function closingOf(entry: Entry, fill: Fill): Closing {
  return bookOf(entry, fill.market).closings.get(fill.id) ?? NOTHING
}

/** Returns the sums of the order's fills. */
export function fillsOf(entry: Entry, market: MarketId, orderId: number): OrderFills {
  return bookOf(entry, market).orders.get(orderId) ?? NO_FILLS
}

/** Forgets what was held: the account was reset, and what follows starts flat. */
export function forgetHoldings(entry: Entry): void {
  for (const market of entry.fillsByMarket.keys()) bookOf(entry, market).holdings.clear()
}

// Fills only ever follow each other, so each is read once.
function bookOf(entry: Entry, market: MarketId): Book {
  const known = books.get(entry) ?? new Map<MarketId, Book>()
  if (known.size === 0) books.set(entry, known)
  const book = known.get(market) ?? { read: 0, holdings: new Map(), closings: new Map(), orders: new Map() }
  known.set(market, book)
  const fills = entry.fillsByMarket.get(market) ?? []
  if (fills.length < book.read) book.read = 0
  for (; book.read < fills.length; book.read += 1) {
    const fill = fills[book.read]
    if (fill) add(book, fill)
  }
  return book
}

function add(book: Book, fill: Fill): void {
  const isSpot = fill.market.includes('-spot:')
  const closing = isSpot ? NOTHING : close(book, fill)
  if (closing.quantity > 0n) book.closings.set(fill.id, closing)
  const before = book.orders.get(fill.orderId) ?? NO_FILLS
  const share = fill.quantity === 0n ? 0n : (fill.value * closing.quantity) / fill.quantity
  book.orders.set(fill.orderId, {
    fee: before.fee + fill.fee,
    feeAsset: fill.feeAsset,
    realized: before.realized + fill.realized,
    closed: before.closed + closing.quantity,
    entryValue: before.entryValue + closing.entryValue,
    exitValue: before.exitValue + share,
    count: before.count + 1,
  })
}

function close(book: Book, { side, positionSide, quantity, value }: Fill): Closing {
  const holding = book.holdings.get(positionSide) ?? { quantity: 0n, cost: 0n }
  const traded = signed(side, quantity)
  const isAgainst = holding.quantity > 0n ? traded < 0n : holding.quantity < 0n && traded > 0n
  const size = absolute(holding.quantity)
  const closed = isAgainst ? smaller(size, quantity) : 0n
  const cost = closed === size ? holding.cost : closed === 0n ? 0n : (holding.cost * closed) / size
  const opened = quantity - closed
  const openedValue = quantity === 0n ? 0n : (value * opened) / quantity
  book.holdings.set(positionSide, {
    quantity: holding.quantity + traded,
    cost: holding.cost - (closed === 0n ? 0n : cost) + signed(side, openedValue),
  })
  return { quantity: closed, entryValue: closed === 0n ? 0n : absolute(cost) }
}
