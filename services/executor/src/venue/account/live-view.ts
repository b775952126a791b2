import type { Holding } from '../../domain/account/account.ts'
import { isOverdue, readingLagMs } from '../../domain/account/owed-fills.ts'
import {
  type AccountView,
  afterAccountUpdate,
  afterAnswer,
  afterBase,
  afterDown,
  afterFill,
  afterLag,
  afterLive,
  afterOrder,
  afterRefusal,
  afterSending,
  contradicts,
  isQuiet,
  lacksReported,
  noView,
  type ViewedPosition,
} from '../../domain/account/view.ts'
import {
  type ViewedAccount,
  viewedAccount,
  viewedAccountApart,
  viewedHoldings,
  viewedPositions,
} from '../../domain/account/viewed-account.ts'
import { isVerified } from '../socket/live-socket.ts'
import type { AccountListener, StreamSubscription } from './account-listener.ts'
import type { Semaphore } from './account-slots.ts'
import { askUntil } from './ask-until.ts'
import type { OrderListener } from './order-updates.ts'
import type { OwnFills } from './own-fills.ts'

/** An account that is known without asking, while it is used. */
export interface LiveView<Answers> {
  /** Has it known without asking for some minutes from now on. */
  use: () => void
  /** A symbol's positions as they are now; undefined where they are to be read. */
  positions: (symbol: string) => readonly ViewedPosition[] | undefined
  /** Everything the account has now; undefined where it is to be read. */
  account: () => ViewedAccount | undefined
  /**
   * Returns the holdings of every coin, and the free part of each, if coins are its positions; undefined if they are to
   * be read.
   */
  holdings: () => readonly Holding[] | undefined
  /**
   * Asks the venue, and begins anew with what it answers. Urgent reads are sent as long as the venue takes requests of
   * ours.
   */
  read: (isUrgent: boolean) => Promise<Answers>
  stop: () => void
}

/** The venue's answers, and what an account has by them. */
export interface AskedAccount<Answers> {
  answers: Answers
  /** Undefined where they cannot be read as a whole. */
  account: ViewedAccount | undefined
  /** When the account changed last by them and the venue's clock, in ms; undefined where they do not say. */
  changedAt?: number | undefined
}

export interface ViewOptions<Answers> {
  /** Room for accounts in use, of which each takes one place; a place that was taken is to be given back. */
  room: Semaphore
  /** Receives the private stream, until that is stopped. */
  subscribe: (listener: AccountListener) => StreamSubscription
  /** Receives the updates of the account's orders, until it is stopped. */
  listen: (publisher: OrderListener) => () => void
  /** Settles once a reading shows what was last done to the account; undefined where it does. */
  shown: () => Promise<void> | undefined
  /** Whether a reading shows what of our orders is known to be filled. */
  isShown?: OwnFills['isShown']
  /** Reads balances and positions at the venue. */
  ask: (isUrgent: boolean) => Promise<AskedAccount<Answers>>
  /** The venue's time. */
  venueNow: () => number
  /** Whether so much is left of what the venue allows that it may be read in between. */
  mayRead: () => boolean
  /** Reads anything else in between, such as settings. */
  refreshMore: () => Promise<unknown>
  onSettings: () => void
  /** Whether the venue reports balances apart from the positions that change with them. */
  areBalancesApart?: boolean
}

/** Reads in between are a courtesy: they leave this share of what the venue allows to orders. */
export const reservedForOrders = 0.5

/** An account that no command needs in this time is released. */
export const unusedMs = 15 * 60_000
const checkEveryMs = 5000
// So often the other end of the stream is asked to show that it is there.
const pingEveryMs = 1000
// A stream that reports later than this may have yet to report a fill.
const mostLagMs = 300
// As soon as a reading is sure to show what was before the stream.
const firstReadingMs = readingLagMs + 50
// Before what was read is too old to be trusted.
const refreshAfterMs = 45_000

interface LiveViewState<Answers> {
  options: ViewOptions<Answers>
  view: AccountView
  /** Set while the account is in use. */
  inUse:
    | {
        subscription: StreamSubscription
        stopListening: () => void
        checking: NodeJS.Timeout
        pinging: NodeJS.Timeout
      }
    | undefined
  usedAt: number
  isRefreshing: boolean
}

/** An account that was not requested yet: its stream is not followed before that. */
export function openLiveView<Answers>(options: ViewOptions<Answers>): LiveView<Answers> {
  const state: LiveViewState<Answers> = {
    options,
    view: noView,
    inUse: undefined,
    usedAt: 0,
    isRefreshing: false,
  }
  return {
    use: () => {
      state.usedAt = performance.now()
      if (state.inUse === undefined) begin(state)
    },
    positions: (symbol) =>
      isVerifiedNow(state) ? viewedPositions(state.view, symbol, performance.now()) : undefined,
    account: () => {
      const viewed = options.areBalancesApart ? viewedAccountApart : viewedAccount
      return isVerifiedNow(state) ? viewed(state.view, performance.now()) : undefined
    },
    holdings: () => (isVerifiedNow(state) ? viewedHoldings(state.view, performance.now()) : undefined),
    read: async (isUrgent) => await read(state, isUrgent),
    stop: () => end(state),
  }
}

function isVerifiedNow<Answers>({ inUse }: LiveViewState<Answers>): boolean {
  return isVerified(inUse?.subscription.verifiedUntil())
}

function begin<Answers>(state: LiveViewState<Answers>): void {
  if (!state.options.room.acquire()) return
  const change = (next: (view: AccountView) => AccountView): void => {
    state.view = next(state.view)
  }
  const changeBy = (next: (view: AccountView) => AccountView, at: number): void => {
    change(next)
    if (state.options.venueNow() - at > mostLagMs) change(afterLag)
  }
  const stopListening = state.options.listen({
    onSending: (order) => change((view) => afterSending(view, order, performance.now())),
    onAnswer: (symbol, order) => change((view) => afterAnswer(view, symbol, order, performance.now())),
    onRefusal: (clientOrderId) => change((view) => afterRefusal(view, clientOrderId)),
  })
  const checking = setInterval(() => check(state), checkEveryMs).unref()
  const subscription = state.options.subscribe({
    onLive: () => {
      change((view) => afterLive(view, performance.now()))
      state.inUse?.subscription.ping()
      setTimeout(() => void refresh(state), firstReadingMs).unref()
    },
    onDown: () => change(afterDown),
    onAccount: (account) =>
      changeBy((view) => afterAccountUpdate(view, account, performance.now()), account.at),
    onFill: (fill) => changeBy((view) => afterFill(view, fill, performance.now()), fill.at),
    // The amount it locks is reported with the coin, which shows how late that is.
    onOrder: (order) => change((view) => afterOrder(view, order, performance.now())),
    onSettings: state.options.onSettings,
  })
  subscription.ping()
  const pinging = setInterval(subscription.ping, pingEveryMs).unref()
  state.inUse = { subscription, stopListening, checking, pinging }
}

function end<Answers>(state: LiveViewState<Answers>): void {
  const { inUse } = state
  if (inUse !== undefined) state.options.room.release()
  state.inUse = undefined
  state.view = noView
  clearInterval(inUse?.checking)
  clearInterval(inUse?.pinging)
  inUse?.stopListening()
  inUse?.subscription.stop()
}

function check<Answers>(state: LiveViewState<Answers>): void {
  const now = performance.now()
  if (now - state.usedAt > unusedMs) end(state)
  else if (isDue(state.view, now)) void refresh(state)
}

/** True where a reading makes the account known, or keeps it so. */
function isDue(view: AccountView, now: number): boolean {
  if (view.base === undefined) return isQuiet(view, now)
  return now - view.base.askedAt > refreshAfterMs || isOverdue(view.owed, now)
}

/** Reads the account in between, so that what is known is never old, and a stream that died without a sign is found. */
async function refresh<Answers>(state: LiveViewState<Answers>): Promise<void> {
  const { mayRead, refreshMore } = state.options
  if (state.isRefreshing || !state.view.isLive || !mayRead()) return
  state.isRefreshing = true
  // After a failure the next caller reads it.
  await Promise.allSettled([read(state, false), refreshMore()])
  state.isRefreshing = false
}

async function read<Answers>(state: LiveViewState<Answers>, isUrgent: boolean): Promise<Answers> {
  const shown = state.options.shown()
  if (shown !== undefined) await shown
  const { updatesBefore, askedAt, answers, account } = await askShown(state, isUrgent)
  if (account === undefined) return answers
  // By the venue's clock as it is known now: the request itself may have had it measured anew.
  const venueAskedAt = state.options.venueNow() - (performance.now() - askedAt)
  const base = { askedAt, venueAskedAt, ...account }
  const { view } = state
  const isSure = view.updates === updatesBefore && view.owed.size === 0 && isQuiet(view, askedAt)
  state.view = afterBase(view, base, updatesBefore)
  if (isSure && contradicts(view, base)) state.inUse?.subscription.renew()
  return answers
}

/**
 * Asks until the answers show what of our orders is known to be filled, and what the stream reported: a position that is not
 * shown yet is not closed.
 */
async function askShown<Answers>(state: LiveViewState<Answers>, isUrgent: boolean) {
  const { ask, isShown = () => true, venueNow } = state.options
  return await askUntil(
    async () => {
      const { updates: updatesBefore } = state.view
      const askedAt = performance.now()
      return { ...(await ask(isUrgent)), updatesBefore, askedAt }
    },
    ({ changedAt, account }) =>
      isShown(changedAt) &&
      (account === undefined || !lacksReported(state.view, account, changedAt, venueNow())),
  )
}
