import { add, isGreater, isNegative, isZero, negate, subtract } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import { latestReadingMs } from '../order/absence.ts'
import type { OrderPlan, VenueOrder } from '../order/order.ts'
import {
  type AwaitedOrders,
  awaitedBeside,
  noneAwaited,
  onceAnswered,
  onceReported,
} from './awaited-orders.ts'
import {
  type OwedOrders,
  owedAfterAnswer,
  owedAfterGap,
  owedAfterReading,
  owedAfterReport,
  owedAfterSending,
  owedAfterTime,
  type ReportedFills,
  readingLagMs,
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
export interface AccountUpdate {
  at: number
  /** The venue's number for a change of a symbol, where it has one; otherwise the time gives the order. */
  step?: number
  /** True where nothing changed but what is reported: after a trade, or a funding fee. */
  isWhole: boolean
  wallets: ReadonlyMap<string, string>
  positions: readonly ViewedPosition[]
}

/** An execution as the private stream reports it with its order; the change of the position is signed. */
export interface FillUpdate {
  at: number
  /** As of the update of an account. */
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
export interface OrderState {
  clientOrderId: string
  filled: string
  isOver: boolean
  /** The coin of which it may lock more or less than before, though nothing of it was executed now. */
  locks?: { symbol: string; at: number }
}

/** A position by two sources: the venue's report of it, and its quantity by the executions reported since. */
interface KnownPosition {
  reported: ViewedPosition
  byFills: string
  /** Steps at which the stream last reported it, and an execution of it or a lock on it; 0 where it reported none. */
  reportedAt: number
  filledAt: number
}

/** An account as known without asking: a reading, and the private stream's reports since. */
export interface AccountView {
  isLive: boolean
  /** Grows with every report: a reading during which it did not grow is of one moment. */
  updates: number
  /** Time of the last report or answer: a reading soon after it need not show it. */
  updatedAt: number
  base: Pick<AccountBase, 'askedAt' | 'venueAskedAt'> | undefined
  /** A reading showed other positions than these, and none since showed what the stream reported. */
  isDoubted: boolean
  /** Amounts of the coins that the reading shows. */
  wallets: ReadonlyMap<string, string>
  /** Times of the stream's last report on balances, and on an execution, by the venue's clock; 0 without one since the base. */
  walletsAt: number
  filledAt: number
  positions: ReadonlyMap<string, KnownPosition>
  reportedFills: ReportedFills
  owed: OwedOrders
  awaited: AwaitedOrders
}

/** The view of an account that was not read yet. */
export const noView: AccountView = {
  isLive: false,
  updates: 0,
  updatedAt: 0,
  base: undefined,
  isDoubted: false,
  wallets: new Map(),
  walletsAt: 0,
  filledAt: 0,
  positions: new Map(),
  reportedFills: new Map(),
  owed: new Map(),
  awaited: noneAwaited,
}

// Orders on which the stream may report more.
const mostReported = 200

/** The view once the stream begins to report, or begins again: what was before is to be read. */
export function afterLive({ updates, owed }: AccountView, now: number): AccountView {
  return { ...noView, isLive: true, updates: updates + 1, updatedAt: now, owed: owedAfterGap(owed) }
}

/** The view once the stream reports nothing more. */
export function afterDown({ updates, owed }: AccountView): AccountView {
  return { ...noView, updates: updates + 1, owed: owedAfterGap(owed) }
}

/**
 * The view with a reading as its new base, unless something was reported since shortly before it was requested: then it
 * may show less than was reported, and where it shows the same it proves only that the stream reports. A reading that
 * shows other positions than are known leaves nothing to rely on: one of the two is out of date.
 */
export function afterBase(view: AccountView, read: AccountBase, updatesBefore: number): AccountView {
  if (!view.isLive || view.updates !== updatesBefore) return view
  const { askedAt, venueAskedAt, wallets } = read
  const isSame = !contradicts(view, read)
  if (!isQuiet(view, askedAt)) {
    const isProof = isSame && [...view.positions.values()].every(isSettled)
    if (!isProof || view.base === undefined) return view
    return { ...view, base: { ...view.base, askedAt }, awaited: awaitedBeside(view.awaited, askedAt) }
  }
  if (!isSame) return { ...view, base: undefined, isDoubted: true }
  const positions = positionsFrom(read.positions, view.positions)
  const owed = owedAfterReading(view.owed, askedAt)
  const awaited = awaitedBeside(view.awaited, askedAt)
  const asked = { base: { askedAt, venueAskedAt }, isDoubted: false, walletsAt: 0, filledAt: 0 }
  return { ...view, ...asked, wallets, positions, owed, awaited }
}

/** True once a reading that is requested at this moment shows everything that was reported. */
export function isQuiet({ updatedAt }: AccountView, now: number): boolean {
  return now >= updatedAt + readingLagMs
}

/** The positions of a reading, each with the step of its last report; one that was reported and is not in the reading is flat. */
function positionsFrom(
  read: readonly ViewedPosition[],
  before: AccountView['positions'],
): AccountView['positions'] {
  const reported = [...before.values()].filter(({ reportedAt }) => reportedAt > 0)
  const gone = reported.map((known) => knownFrom(emptied(known.reported), known.reportedAt))
  const held = read.map((position) => knownFrom(position, before.get(nameOf(position))?.reportedAt))
  return new Map([...gone, ...held].map((known) => [nameOf(known.reported), known]))
}

function emptied(position: ViewedPosition): ViewedPosition {
  return { ...position, quantity: '0', ...(position.free !== undefined && { free: '0' }) }
}

/** True where a reading shows another position than the stream reported, or than was read before and not reported to change. */
export function contradicts(
  { base, isDoubted, positions }: AccountView,
  read: Pick<AccountBase, 'positions'>,
): boolean {
  const isRead = base !== undefined || isDoubted
  const shown = new Map(read.positions.map((position) => [nameOf(position), position]))
  const known = [...positions.values()].filter(({ reportedAt }) => isRead || reportedAt > 0)
  const differs = known.some(({ reported }) => {
    const { quantity, free = '0' } = shown.get(nameOf(reported)) ?? emptied(reported)
    return !isZero(subtract(reported.quantity, quantity)) || !isZero(subtract(reported.free ?? free, free))
  })
  const isNew = ({ quantity, ...place }: ViewedPosition): boolean =>
    !positions.has(nameOf(place)) && !isZero(quantity)
  return differs || (isRead && read.positions.some(isNew))
}

/**
 * Returns true where a reading lacks what the stream reported: it shows other positions, and its account last changed before
 * the last execution, `changedAt` by the venue's clock in ms. A reading without such a time is believed, and so is any
 * reading once they show in any case what was reported.
 */
export function lacksReported(
  view: AccountView,
  read: Pick<AccountBase, 'positions'>,
  changedAt: number | undefined,
  venueNow: number,
): boolean {
  const { isLive, filledAt } = view
  if (!isLive || changedAt === undefined || changedAt >= filledAt) return false
  return venueNow - filledAt <= latestReadingMs && contradicts(view, read)
}

/** The view after the stream reported balances and positions. An update older than its reading, or incomplete, ends it. */
export function afterAccountUpdate(view: AccountView, account: AccountUpdate, now: number): AccountView {
  const updates = { ...view, updates: view.updates + 1, updatedAt: now }
  if (!account.isWhole) return { ...updates, base: undefined, isDoubted: false, positions: new Map() }
  const step = account.step ?? account.at
  const positions = new Map(view.positions)
  for (const reported of account.positions) {
    const known = positions.get(nameOf(reported)) ?? knownFrom({ ...reported, quantity: '0' })
    if (step >= known.reportedAt) positions.set(nameOf(reported), { ...known, reported, reportedAt: step })
  }
  const all = { positions, ...walletsAfter(view, account) }
  // Some venues report what did not change, for example with every order: no reading is worse for that.
  if (saysTheSame(view, account)) return { ...view, ...all }
  const isLate = view.base !== undefined && account.at < view.base.venueAskedAt
  return { ...updates, ...all, ...(isLate && { base: undefined }) }
}

function walletsAfter(
  { wallets, walletsAt }: AccountView,
  { at, wallets: reported }: AccountUpdate,
): Pick<AccountView, 'wallets' | 'walletsAt'> {
  if (reported.size === 0 || at < walletsAt) return { wallets, walletsAt }
  return {
    wallets: new Map([...wallets].map(([coin, held]) => [coin, reported.get(coin) ?? held])),
    walletsAt: at,
  }
}

function saysTheSame(view: AccountView, account: AccountUpdate): boolean {
  const isSame = (position: ViewedPosition): boolean => {
    const reported = view.positions.get(nameOf(position))?.reported
    return (['quantity', 'entryPrice', 'free'] as const).every(
      (field) => reported?.[field] === position[field],
    )
  }
  const wallets = [...view.wallets].map(([coin, held]) => (account.wallets.get(coin) ?? held) === held)
  return wallets.every((isHeld) => isHeld) && account.positions.every(isSame)
}

/** The view after the stream reported an execution; one that was reported before adds nothing. */
export function afterFill(view: AccountView, fill: FillUpdate, now: number): AccountView {
  const { clientOrderId, filled, at, step = at } = fill
  const before = view.reportedFills.get(clientOrderId)
  const noted = { ...view, updates: view.updates + 1, updatedAt: now }
  if (before !== undefined && !isGreater(filled, before)) return noted
  const updates = {
    ...noted,
    reportedFills: remembered(view.reportedFills, clientOrderId, filled),
    owed: owedAfterReport(view.owed, clientOrderId, filled),
    filledAt: laterOf(view.filledAt, at),
  }
  if (view.base === undefined) return updates
  if (at < view.base.venueAskedAt) return { ...updates, base: undefined }
  // Of executions that come in another order, or not all, the sum is right where each one would not be.
  const change = before === undefined ? fill.change : withSignOf(fill.change, subtract(filled, before))
  const changes = [{ ...fill, change }, ...(fill.besides ?? [])]
  return { ...updates, positions: changes.reduce((all, one) => withChange(all, one, step), view.positions) }
}

/** The view after the stream reported the state of an order; the amount that it locks now is reported with the coin. */
export function afterOrder(view: AccountView, order: OrderState, now: number): AccountView {
  const { locks } = order
  const noted = { ...view, awaited: onceReported(view.awaited, order) }
  if (locks === undefined) return noted
  const updates = { ...noted, updates: view.updates + 1, updatedAt: now }
  if (view.base === undefined) return updates
  if (locks.at < view.base.venueAskedAt) return { ...updates, base: undefined }
  const change = { symbol: locks.symbol, side: 'both', change: '0' } as const
  return { ...updates, positions: withChange(view.positions, change, locks.at) }
}

/** The view once the stream was found to report late: how much else it has yet to report is not known. */
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
  const owed = view.base === undefined ? owedAfterTime(view.owed, now) : view.owed
  return { ...view, owed: owedAfterSending(owed, order, now) }
}

/** The view once an answer showed the state of an order; the reading contains a state that is older by the longest lag. */
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
  const owed = owedAfterAnswer(view.owed, view.reportedFills, symbol, order, now)
  const awaited = onceAnswered(view.awaited, order, now)
  return { ...view, owed, awaited, ...(owed.has(clientOrderId) && { updatedAt: now }) }
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

function remembered(reported: ReportedFills, clientOrderId: string, filled: string): ReportedFills {
  const others = [...reported].filter(([id]) => id !== clientOrderId)
  return new Map([...others.slice(-mostReported), [clientOrderId, filled]])
}

function knownFrom(reported: ViewedPosition, reportedAt = 0): KnownPosition {
  return { reported, byFills: reported.quantity, reportedAt, filledAt: 0 }
}

function nameOf({ symbol, side }: PositionKey): string {
  return `${symbol} ${side}`
}

/** True where the venue's report of a position agrees with its executions, and is not older than the last one. */
export function isSettled({ reported, byFills, reportedAt, filledAt }: KnownPosition): boolean {
  return reportedAt >= filledAt && isZero(subtract(reported.quantity, byFills))
}
