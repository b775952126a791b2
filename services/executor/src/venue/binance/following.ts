import { now } from '@tripline/kit/time/clock'
import { isLess } from '@tripline/proto/decimal'
import type { AccountNews } from '../../domain/account/view.ts'
import {
  isTerminal,
  type LookUp,
  type OrderRef,
  type StreamWitness,
  type VenueOrder,
} from '../../domain/order/order.ts'
import type { AccountListener, StreamSubscription } from '../account/account-listener.ts'
import { createExpectations, type Expectation, type Expectations } from '../account/expectation.ts'
import { type LiveSocket, witnessOf } from '../socket/live-socket.ts'
import type { StreamTiming, Venue, VenueEvent } from '../venue.ts'
import { isNamed } from './answers.ts'
import { fillIn, isOf, type OrderListUpdate, type OrderUpdate, standingIn } from './order-update.ts'
import { createStreamedOrders, type StreamedOrders } from './streamed-orders.ts'

/** Callbacks of a private stream. */
export interface StreamListener {
  onOrder: (update: OrderUpdate) => void
  /** An order list that the venue has taken, after its orders or before. */
  onList: (list: OrderListUpdate) => void
  /** Receives a report on the account, which is read only if somebody needs it. */
  onNews: (read: () => AccountNews) => void
  onSettings: () => void
  /** From now on it reports everything; what was before, and what could not be read, it did not. */
  onLive: () => void
  /** The connection is gone; the next one is on its way. */
  onDown: () => void
}

/** The followers of an account, on one private stream that is there while somebody follows. */
export interface Following {
  follow: NonNullable<Venue['follow']>
  /** Receives what the stream reports on the account. */
  subscribe: (listener: AccountListener) => StreamSubscription
  /**
   * Takes in what an answer said of an order: the stream has to say as much soon. One that does not is dead, however
   * alive its connection looks, and is made anew.
   */
  expect: (symbol: string, order: VenueOrder) => void
  /** Waits for what the stream reports on one order. */
  expectOrder: Expectations<OrderUpdate>['expect']
  /** Waits for the end of one order; the latest is that which was reported before, if it has ended already. */
  expectEnd: (ref: OrderRef) => Expectation<OrderUpdate>
  /** Waits for the news that the venue has taken a list. */
  expectList: Expectations<OrderListUpdate>['expect']
  /** True while there is a stream that reports. */
  isLive: () => boolean
  /** Since when it has reported everything, and until when that is sure; undefined while there is none. */
  witness: () => StreamWitness | undefined
  /** Lets it show that it lives. */
  ping: () => void
  /** The last that it reported on an order. */
  lastUpdateOf: (ref: OrderRef) => VenueOrder | undefined
  /** The same where it has reported everything since then. */
  currentUpdateOf: NonNullable<Venue['currentUpdateOf']>
  /**
   * Settles with an order as the stream reports it once that is filled as far and has a price; undefined where it does not
   * within the time, and at once where there is no stream.
   */
  awaitFilled: (symbol: string, order: VenueOrder, ms: number) => Promise<VenueOrder | undefined>
}

export interface FollowingOptions {
  open: (listener: StreamListener) => LiveSocket
  /** Receives each order how it stands by the stream. */
  onOrder: (symbol: string, order: VenueOrder) => void
  lookUp: (ref: OrderRef) => Promise<LookUp>
  /** The venue's time. */
  now: () => number
  timing: Partial<StreamTiming> | undefined
}

const usualTiming = { expectMs: 5000, checkMs: 60_000 }
// The venue's clock is known to within this, and what changed just before a stream began it need not report.
const clockSlackMs = 500

interface FollowingState {
  options: FollowingOptions
  timing: typeof usualTiming
  listeners: Set<(event: VenueEvent) => void>
  attending: Set<AccountListener>
  expectations: Expectations<OrderUpdate>
  listExpectations: Expectations<OrderListUpdate>
  streamed: StreamedOrders
  /** Set while somebody follows. */
  stream: { socket: LiveSocket; checking: NodeJS.Timeout } | undefined
  /** Since when the present connection reports, by the venue's clock, and by ours. */
  liveSince: number | undefined
  updatesSince: number
  checked: number
}

/** Nobody follows yet. */
export function createFollowing(options: FollowingOptions): Following {
  const state: FollowingState = {
    options,
    timing: { ...usualTiming, ...options.timing },
    listeners: new Set(),
    attending: new Set(),
    expectations: createExpectations(),
    listExpectations: createExpectations(),
    streamed: createStreamedOrders(),
    stream: undefined,
    liveSince: undefined,
    updatesSince: 0,
    checked: 0,
  }
  return {
    follow: (listener) => {
      state.listeners.add(listener)
      if (state.stream === undefined) start(state)
      else if (state.liveSince !== undefined) listener({ kind: 'gap' })
      return () => {
        state.listeners.delete(listener)
        stopUnused(state)
      }
    },
    subscribe: (listener) => subscribe(state, listener),
    expect: (symbol, order) => expect(state, symbol, order),
    expectOrder: state.expectations.expect,
    expectEnd: (ref) => expectEnd(state, ref),
    expectList: state.listExpectations.expect,
    isLive: () => state.liveSince !== undefined,
    witness: () => witness(state),
    ping: () => state.stream?.socket.ping(),
    lastUpdateOf: (ref) => state.streamed.find((update) => isOf(update, ref))?.order,
    currentUpdateOf: (ref) => currentUpdateOf(state, ref),
    awaitFilled: async (symbol, order, ms) => await awaitFilled(state, symbol, order, ms),
  }
}

function subscribe(state: FollowingState, listener: AccountListener): StreamSubscription {
  state.attending.add(listener)
  if (state.stream === undefined) start(state)
  else if (state.liveSince !== undefined) listener.onLive()
  return {
    ping: () => state.stream?.socket.ping(),
    verifiedUntil: () => state.stream?.socket.verifiedUntil(),
    renew: () => giveUp(state),
    stop: () => {
      state.attending.delete(listener)
      stopUnused(state)
    },
  }
}

function stopUnused(state: FollowingState): void {
  if (state.listeners.size === 0 && state.attending.size === 0) stop(state)
}

function start(state: FollowingState): void {
  const socket = state.options.open({
    onOrder: (update) => {
      const fill = fillIn(update)
      if (fill !== undefined) for (const { onFill } of state.attending) onFill(fill)
      const standing = standingIn(update)
      for (const { onOrder } of state.attending) onOrder(standing)
      const order = state.streamed.receive(update)
      if (order === undefined) return
      state.options.onOrder(update.symbol, order)
      state.expectations.publish({ ...update, order })
      publish(state, { kind: 'order', order })
    },
    onList: (list) => state.listExpectations.publish(list),
    onNews: (read) => {
      if (state.attending.size === 0) return
      const news = read()
      for (const { onNews } of state.attending) onNews(news)
    },
    onSettings: () => {
      for (const { onSettings } of state.attending) onSettings()
    },
    onLive: () => {
      state.liveSince = state.options.now()
      state.updatesSince = now() + clockSlackMs
      state.streamed.missSome()
      publish(state, { kind: 'gap' })
      for (const { onLive } of state.attending) onLive()
    },
    onDown: () => {
      state.liveSince = undefined
      for (const { onDown } of state.attending) onDown()
    },
  })
  const checking = setInterval(() => check(state), state.timing.checkMs)
  state.stream = { socket, checking }
}

function stop(state: FollowingState): void {
  clearInterval(state.stream?.checking)
  state.stream?.socket.stop()
  state.stream = undefined
  state.liveSince = undefined
}

function publish({ listeners }: FollowingState, event: VenueEvent): void {
  for (const listener of listeners) listener(event)
}

function expect(state: FollowingState, symbol: string, order: VenueOrder): void {
  const { liveSince, streamed, timing } = state
  if (liveSince === undefined || order.updatedAt === null) return
  if (order.updatedAt < liveSince + clockSlackMs || streamed.covers(symbol, order)) return
  const judge = () => {
    if (state.liveSince !== liveSince || streamed.covers(symbol, order)) return
    giveUp(state)
  }
  // After a standstill of this process the reports that came meanwhile are read before one is missed.
  setTimeout(() => setImmediate(judge), timing.expectMs).unref()
}

function expectEnd({ expectations, streamed }: FollowingState, ref: OrderRef): Expectation<OrderUpdate> {
  const isItsEnd = (news: OrderUpdate): boolean => isTerminal(news.order) && isOf(news, ref)
  // The name alone may have been that of an order before.
  const known = isNamed(ref.venueOrderId) ? streamed.find(isItsEnd) : undefined
  return expectations.expect(isItsEnd, () => true, known)
}

function currentUpdateOf({ streamed, liveSince }: FollowingState, ref: OrderRef): VenueOrder | undefined {
  return liveSince === undefined ? undefined : streamed.findNow((one) => isOf(one, ref))?.order
}

function witness({ liveSince, updatesSince, stream }: FollowingState): StreamWitness | undefined {
  return liveSince === undefined ? undefined : witnessOf(updatesSince, stream?.socket)
}

async function awaitFilled(
  { liveSince, streamed, expectations }: FollowingState,
  symbol: string,
  order: VenueOrder,
  ms: number,
): Promise<VenueOrder | undefined> {
  const isMeant = ({ order: { clientOrderId, filled, averagePrice } }: OrderUpdate): boolean =>
    clientOrderId === order.clientOrderId && averagePrice !== null && !isLess(filled, order.filled)
  if (liveSince === undefined) return undefined
  const known = isNamed(order.venueOrderId) ? streamed.at(symbol, order) : streamed.find(isMeant)
  if (known !== undefined && isMeant(known)) return known.order
  const expected = expectations.expect(isMeant, () => true)
  try {
    return (await expected.within(ms))?.order
  } finally {
    expected.stop()
  }
}

function giveUp(state: FollowingState): void {
  // Any other missed report is no reason to give up the next connection too.
  state.liveSince = undefined
  state.stream?.socket.renew('silent')
}

/** Asks for one order that is open by what the stream reported: what it did not report on it shows in the answer. */
function check(state: FollowingState): void {
  const open = state.streamed.open()
  const one = open[state.checked % Math.max(1, open.length)]
  state.checked++
  if (one === undefined) return
  const { venueOrderId, clientOrderId, isConditional } = one.order
  void state.options.lookUp({ symbol: one.symbol, venueOrderId, clientOrderId, isConditional })
}
