import { add, isGreater, isNegative, isZero, negate, subtract } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import { latestReadingMs } from '../order/absence.ts'
import type { OrderPlan, VenueOrder } from '../order/order.ts'
import { type AwaitedOrders, awaitedBeside, noneAwaited, onceAnswered, onceTold } from './awaited-orders.ts'
import {
  type OwedOrders,
  owingAnswered,
  owingBeside,
  owingLater,
  owingSent,
  owingTold,
  owingUnanswered,
  readingLagMs,
  type ToldFills,
  without,
} from './owed-fills.ts'

/** The key of a position. */
type PositionKey = Pick<ViewedPosition, 'symbol' | 'side'>

/**
 * One side of a symbol's position; the quantity is signed: a short is below zero. On spot what is held of a coin stands
 * for a position, and the coin is its symbol.
 */
export interface ViewedPosition {
  symbol: string
  side: PositionSide
  quantity: string
  /** Null of a coin. */
  entryPrice: string | null
  /** Unlocked amount of a coin. */
  free?: string
}

/** Holdings of an account at a reading: each of its positions, and its wallet's amount of each coin. */
export interface AccountBase {
  /** When it was asked for, by our monotonic clock and by the venue's. */
  askedAt: number
  venueAskedAt: number
  wallets: ReadonlyMap<string, string>
  positions: readonly ViewedPosition[]
}

/** The private stream's report on balances and positions: how they are now. */
export interface AccountNews {
  at: number
  /** The venue's number for a change of a symbol, where it has one; otherwise the time gives the order. */
  step?: number
  /** True where nothing else changed than what is told: after a trade, or a funding fee. */
  isWhole: boolean
  wallets: ReadonlyMap<string, string>
  positions: readonly ViewedPosition[]
}

/** An execution as the private stream tells it with its order; the change of the position is signed. */
export interface FillNews {
  at: number
  /** As of the news. */
  step?: number
  symbol: string
  side: PositionSide
  clientOrderId: string
  change: string
  /** The order's filled quantity after it. */
  filled: string
  /** Other changes by it, signed: on spot what was paid or earned, and the fee. */
  besides?: readonly PositionChange[]
}

/** By how much a position changed. */
export interface PositionChange extends PositionKey {
  change: string
}

/** State of an order by the private stream's report. */
export interface OrderNews {
  clientOrderId: string
  filled: string
  isOver: boolean
  /** The coin of which it may lock more or less than before, though nothing of it was executed now. */
  locks?: { symbol: string; at: number }
}

/** A position as two tell it: what the venue says it is, and what the executions told since come to. */
interface KnownPosition {
  told: ViewedPosition
  byFills: string
  /** At which step the stream told it last, and an execution of it, or a lock on it; 0 where it told none. */
  toldAt: number
  filledAt: number
}

/** An account as known without asking: a reading, and the private stream's reports since. */
export interface AccountView {
  isLive: boolean
  /** Grows with everything heard: a reading during which it did not grow is of one moment. */
  heard: number
  /** When something was heard, or answered, last: a reading soon after that need not show it. */
  heardAt: number
  base: Pick<AccountBase, 'askedAt' | 'venueAskedAt'> | undefined
  /** A reading showed other positions than these, and none since showed what the stream told. */
  isDoubted: boolean
  /** Of the coins that the reading tells. */
  wallets: ReadonlyMap<string, string>
  /** When the stream told of balances last, and of an execution, by the venue's clock; 0 where it did not since the base. */
  walletsAt: number
  filledAt: number
  positions: ReadonlyMap<string, KnownPosition>
  toldFills: ToldFills
  owed: OwedOrders
  awaited: AwaitedOrders
}

/** The view of an account that nobody looked at. */
export const noView: AccountView = {
  isLive: false,
  heard: 0,
  heardAt: 0,
  base: undefined,
  isDoubted: false,
  wallets: new Map(),
  walletsAt: 0,
  filledAt: 0,
  positions: new Map(),
  toldFills: new Map(),
  owed: new Map(),
  awaited: noneAwaited,
}

// Orders of which the stream may tell more.
const mostTold = 200

/** The view once the stream begins to tell, or begins again: what was before is to be read. */
export function afterLive({ heard, owed }: AccountView, now: number): AccountView {
  return { ...noView, isLive: true, heard: heard + 1, heardAt: now, owed: owingUnanswered(owed) }
}

/** The view once the stream tells nothing more. */
export function afterDown({ heard, owed }: AccountView): AccountView {
  return { ...noView, heard: heard + 1, owed: owingUnanswered(owed) }
}

/**
 * The view with a reading as its new beginning, unless something was heard since shortly before it was asked for: then
 * it may show less than was told, and where it shows the same it proves no more than that the stream tells. One that
 * shows other positions than are known leaves nothing to rely on: either of them is not of now.
 */
export function afterBase(view: AccountView, read: AccountBase, heardBefore: number): AccountView {
  if (!view.isLive || view.heard !== heardBefore) return view
  const { askedAt, venueAskedAt, wallets } = read
  const isSame = !contradicts(view, read)
  if (!isQuiet(view, askedAt)) {
    const isProof = isSame && [...view.positions.values()].every(isSettled)
    if (!isProof || view.base === undefined) return view
    return { ...view, base: { ...view.base, askedAt }, awaited: awaitedBeside(view.awaited, askedAt) }
  }
  if (!isSame) return { ...view, base: undefined, isDoubted: true }
  const positions = positionsFrom(read.positions, view.positions)
  const owed = owingBeside(view.owed, askedAt)
  const awaited = awaitedBeside(view.awaited, askedAt)
  const asked = { base: { askedAt, venueAskedAt }, isDoubted: false, walletsAt: 0, filledAt: 0 }
  return { ...view, ...asked, wallets, positions, owed, awaited }
}

/** True once a reading shows everything that was heard, if it is asked for at this moment. */
export function isQuiet({ heardAt }: AccountView, now: number): boolean {
  return now >= heardAt + readingLagMs
}

/** The positions of a reading, each with when the stream told it last; one that it told of and is gone is flat. */
function positionsFrom(
  read: readonly ViewedPosition[],
  before: AccountView['positions'],
): AccountView['positions'] {
  const told = [...before.values()].filter(({ toldAt }) => toldAt > 0)
  const gone = told.map((known) => knownFrom(emptied(known.told), known.toldAt))
  const held = read.map((position) => knownFrom(position, before.get(nameOf(position))?.toldAt))
  return new Map([...gone, ...held].map((known) => [nameOf(known.told), known]))
}

function emptied(position: ViewedPosition): ViewedPosition {
  return { ...position, quantity: '0', ...(position.free !== undefined && { free: '0' }) }
}

/** True where a reading shows another position than the stream told, or than was read before and never told to change. */
export function contradicts(
  { base, isDoubted, positions }: AccountView,
  read: Pick<AccountBase, 'positions'>,
): boolean {
  const isRead = base !== undefined || isDoubted
  const shown = new Map(read.positions.map((position) => [nameOf(position), position]))
  const known = [...positions.values()].filter(({ toldAt }) => isRead || toldAt > 0)
  const differs = known.some(({ told }) => {
    const { quantity, free = '0' } = shown.get(nameOf(told)) ?? emptied(told)
    return !isZero(subtract(told.quantity, quantity)) || !isZero(subtract(told.free ?? free, free))
  })
  const isNew = ({ quantity, ...place }: ViewedPosition): boolean =>
    !positions.has(nameOf(place)) && !isZero(quantity)
  return differs || (isRead && read.positions.some(isNew))
}

/**
 * Returns true where a reading lacks what the stream told: it shows other positions and its account changed last before
 * the last execution, `changedAt` by the venue's clock in ms. One that tells no such time is believed, and so is any once
 * readings show in any case what was told.
 */
export function lacksTold(
  view: AccountView,
  read: Pick<AccountBase, 'positions'>,
  changedAt: number | undefined,
  venueNow: number,
): boolean {
  const { isLive, filledAt } = view
  if (!isLive || changedAt === undefined || changedAt >= filledAt) return false
  return venueNow - filledAt <= latestReadingMs && contradicts(view, read)
}

/** The view after the stream reported balances and positions. News older than its reading, or incomplete, ends it. */
export function afterNews(view: AccountView, news: AccountNews, now: number): AccountView {
  const heard = { ...view, heard: view.heard + 1, heardAt: now }
  if (!news.isWhole) return { ...heard, base: undefined, isDoubted: false, positions: new Map() }
  const step = news.step ?? news.at
  const positions = new Map(view.positions)
  for (const told of news.positions) {
    const known = positions.get(nameOf(told)) ?? knownFrom({ ...told, quantity: '0' })
    if (step >= known.toldAt) positions.set(nameOf(told), { ...known, told, toldAt: step })
  }
  const all = { positions, ...walletsAfter(view, news) }
  // Some venues tell what did not change, such as with every order: no reading is worse for that.
  if (saysTheSame(view, news)) return { ...view, ...all }
  const isLate = view.base !== undefined && news.at < view.base.venueAskedAt
  return { ...heard, ...all, ...(isLate && { base: undefined }) }
}

function walletsAfter(
  { wallets, walletsAt }: AccountView,
  { at, wallets: told }: AccountNews,
): Pick<AccountView, 'wallets' | 'walletsAt'> {
  if (told.size === 0 || at < walletsAt) return { wallets, walletsAt }
  return {
    wallets: new Map([...wallets].map(([coin, held]) => [coin, told.get(coin) ?? held])),
    walletsAt: at,
  }
}

function saysTheSame(view: AccountView, news: AccountNews): boolean {
  const isSame = (position: ViewedPosition): boolean => {
    const told = view.positions.get(nameOf(position))?.told
    return (['quantity', 'entryPrice', 'free'] as const).every((field) => told?.[field] === position[field])
  }
  const wallets = [...view.wallets].map(([coin, held]) => (news.wallets.get(coin) ?? held) === held)
  return wallets.every((isHeld) => isHeld) && news.positions.every(isSame)
}

/** The view after the stream told of an execution; one that was told before adds nothing. */
export function afterFill(view: AccountView, fill: FillNews, now: number): AccountView {
  const { clientOrderId, filled, at, step = at } = fill
  const before = view.toldFills.get(clientOrderId)
  const noted = { ...view, heard: view.heard + 1, heardAt: now }
  if (before !== undefined && !isGreater(filled, before)) return noted
  const heard = {
    ...noted,
    toldFills: remembered(view.toldFills, clientOrderId, filled),
    owed: owingTold(view.owed, clientOrderId, filled),
    filledAt: laterOf(view.filledAt, at),
  }
  if (view.base === undefined) return heard
  if (at < view.base.venueAskedAt) return { ...heard, base: undefined }
  // Of executions that come in another order, or not all, the sum is right where each one would not be.
  const change = before === undefined ? fill.change : withSignOf(fill.change, subtract(filled, before))
  const changes = [{ ...fill, change }, ...(fill.besides ?? [])]
  return { ...heard, positions: changes.reduce((all, one) => withChange(all, one, step), view.positions) }
}

/** The view after the stream told how an order stands; what it locks now is told with the coin. */
export function afterOrder(view: AccountView, order: OrderNews, now: number): AccountView {
  const { locks } = order
  const noted = { ...view, awaited: onceTold(view.awaited, order) }
  if (locks === undefined) return noted
  const heard = { ...noted, heard: view.heard + 1, heardAt: now }
  if (view.base === undefined) return heard
  if (locks.at < view.base.venueAskedAt) return { ...heard, base: undefined }
  const change = { symbol: locks.symbol, side: 'both', change: '0' } as const
  return { ...heard, positions: withChange(view.positions, change, locks.at) }
}

/** The view once the stream was found to tell what happened a while ago: how much else it has yet to tell is not known. */
export function afterLag(view: AccountView): AccountView {
  return { ...view, base: undefined }
}

/** The view once an order of ours is on its way. */
export function afterSending(
  view: AccountView,
  order: Pick<OrderPlan, 'clientOrderId' | 'symbol'>,
  now: number,
): AccountView {
  if (!view.isLive) return view
  const owed = view.base === undefined ? owingLater(view.owed, now) : view.owed
  return { ...view, owed: owingSent(owed, order, now) }
}

/** The view once an answer told how an order stands; what was so long before the reading is in it, however late that was. */
export function afterAnswer(
  view: AccountView,
  symbol: string,
  order: Pick<VenueOrder, 'clientOrderId' | 'filled' | 'status' | 'updatedAt'>,
  now: number,
): AccountView {
  if (!view.isLive) return view
  const { clientOrderId, updatedAt } = order
  const readAt = view.base?.venueAskedAt ?? 0
  const isRead = updatedAt !== null && updatedAt < readAt - latestReadingMs
  if (isRead) return { ...view, owed: without(view.owed, clientOrderId) }
  const owed = owingAnswered(view.owed, view.toldFills, symbol, order, now)
  const awaited = onceAnswered(view.awaited, order, now)
  return { ...view, owed, awaited, ...(owed.has(clientOrderId) && { heardAt: now }) }
}

/** The view once it is known that an order never was. */
export function afterRefusal(view: AccountView, clientOrderId: string): AccountView {
  return { ...view, owed: without(view.owed, clientOrderId) }
}

function withChange(
  positions: AccountView['positions'],
  { symbol, side, change }: PositionChange,
  at: number,
): AccountView['positions'] {
  const place = { symbol, side, quantity: '0', entryPrice: null }
  const known = positions.get(nameOf(place)) ?? knownFrom(place)
  const filledAt = laterOf(known.filledAt, at)
  return new Map(positions).set(nameOf(place), { ...known, byFills: add(known.byFills, change), filledAt })
}

function laterOf(one: number, other: number): number {
  if (one > other) return one
  return other
}

function withSignOf(signed: string, amount: string): string {
  return isNegative(signed) ? negate(amount) : amount
}

function remembered(told: ToldFills, clientOrderId: string, filled: string): ToldFills {
  const others = [...told].filter(([id]) => id !== clientOrderId)
  return new Map([...others.slice(-mostTold), [clientOrderId, filled]])
}

function knownFrom(told: ViewedPosition, toldAt = 0): KnownPosition {
  return { told, byFills: told.quantity, toldAt, filledAt: 0 }
}

function nameOf({ symbol, side }: PositionKey): string {
  return `${symbol} ${side}`
}

/** True where what the venue says of a position is what its executions come to, and is not older than the last one. */
export function isSettled({ told, byFills, toldAt, filledAt }: KnownPosition): boolean {
  return toldAt >= filledAt && isZero(subtract(told.quantity, byFills))
}
