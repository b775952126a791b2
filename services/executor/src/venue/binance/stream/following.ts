import { isLess } from '@tripline/proto/decimal'
import type { AccountUpdate } from '../../../domain/account/view.ts'
import { isTerminal, type LookUp, type OrderRef, type VenueOrder } from '../../../domain/order/order.ts'
import type { AccountListener, StreamSubscription } from '../../account/account-listener.ts'
import { createExpectations, type Expectation, type Expectations } from '../../account/expectation.ts'
import type { LiveSocket } from '../../socket/live-socket.ts'
import { createPrivateStream, type PrivateStream, type StreamReceiver } from '../../stream/private-stream.ts'
import type { StreamTiming, Venue } from '../../venue.ts'
import { isNamed } from '../answers.ts'
import { fillIn, isOf, type OrderListUpdate, type OrderUpdate, standingIn } from './order-update.ts'
import { createStreamedOrders, type StreamedOrders } from './streamed-orders.ts'

/** Callbacks of a private stream. */
export interface StreamListener extends StreamReceiver<OrderUpdate> {
  /** An order list that the venue has taken, after its orders or before. */
  onList: (list: OrderListUpdate) => void
  /** Receives a report on the account, which is read only if it is needed. */
  onAccount: (read: () => AccountUpdate) => void
  onSettings: () => void
}

/** The followers of an account, on one private stream that is there while it has followers. */
export interface Following extends Pick<PrivateStream<OrderUpdate>, 'follow' | 'isLive' | 'witness'> {
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
  /** Waits for the update that shows that the venue has taken a list. */
  expectList: Expectations<OrderListUpdate>['expect']
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
  attending: Set<AccountListener>
  lists: Expectations<OrderListUpdate>
  streamed: StreamedOrders
  stream: PrivateStream<OrderUpdate>
  /** Since when the present connection reports, by the venue's clock. */
  liveSince: number
}

/** There are no followers yet. */
export function createFollowing(options: FollowingOptions): Following {
  const timing = { ...usualTiming, ...options.timing }
  const attending = new Set<AccountListener>()
  const lists = createExpectations<OrderListUpdate>()
  const streamed = createStreamedOrders()
  const stream = createPrivateStream<OrderUpdate>({
    open: (receiver) => options.open(listenerFor(receiver, attending, lists)),
    receive: (update) => {
      const order = streamed.receive(update)
      return order && { ...update, order }
    },
    onOrder: ({ symbol, order }) => options.onOrder(symbol, order),
    watch: () => {
      let checked = 0
      const checking = setInterval(() => check(state, checked++), timing.checkMs)
      return () => clearInterval(checking)
    },
    onGap: () => {
      state.liveSince = options.now()
      streamed.missSome()
      for (const { onLive } of attending) onLive()
    },
    onDown: () => {
      for (const { onDown } of attending) onDown()
    },
    slackMs: clockSlackMs,
  })
  const state: FollowingState = { options, timing, attending, lists, streamed, stream, liveSince: 0 }
  const { follow, isLive, witness, link } = stream
  return {
    ...{ follow, isLive, witness, ping: link.ping },
    subscribe: (listener) => subscribe(state, listener),
    expect: (symbol, order) => expect(state, symbol, order),
    expectOrder: stream.expect,
    expectEnd: (ref) => expectEnd(state, ref),
    expectList: lists.expect,
    lastUpdateOf: (ref) => streamed.find((update) => isOf(update, ref))?.order,
    currentUpdateOf: (ref) => (isLive() ? streamed.findNow((update) => isOf(update, ref))?.order : undefined),
    awaitFilled: async (symbol, order, ms) => await awaitFilled(state, symbol, order, ms),
  }
}

/** Passes on what a connection reports, to those who attend to the account as well. */
function listenerFor(
  receiver: StreamReceiver<OrderUpdate>,
  attending: ReadonlySet<AccountListener>,
  lists: Expectations<OrderListUpdate>,
): StreamListener {
  return {
    ...receiver,
    onOrder: (update) => {
      const fill = fillIn(update)
      if (fill !== undefined) for (const { onFill } of attending) onFill(fill)
      const standing = standingIn(update)
      for (const { onOrder } of attending) onOrder(standing)
      receiver.onOrder(update)
    },
    onList: lists.publish,
    onAccount: (read) => {
      if (attending.size === 0) return
      const account = read()
      for (const { onAccount } of attending) onAccount(account)
    },
    onSettings: () => {
      for (const { onSettings } of attending) onSettings()
    },
  }
}

function subscribe({ attending, stream }: FollowingState, listener: AccountListener): StreamSubscription {
  attending.add(listener)
  if (stream.isLive()) listener.onLive()
  const release = stream.hold()
  return {
    ...stream.link,
    stop: () => {
      attending.delete(listener)
      release()
    },
  }
}

function expect(state: FollowingState, symbol: string, order: VenueOrder): void {
  const { liveSince, streamed, stream, timing } = state
  if (!stream.isLive() || order.updatedAt === null) return
  if (order.updatedAt < liveSince + clockSlackMs || streamed.covers(symbol, order)) return
  const judge = () => {
    const isSame = stream.isLive() && state.liveSince === liveSince
    if (isSame && !streamed.covers(symbol, order)) stream.link.renew()
  }
  // After a standstill of this process the reports that came meanwhile are read before one is missed.
  setTimeout(() => setImmediate(judge), timing.expectMs).unref()
}

function expectEnd({ stream, streamed }: FollowingState, ref: OrderRef): Expectation<OrderUpdate> {
  const isItsEnd = (update: OrderUpdate): boolean => isTerminal(update.order) && isOf(update, ref)
  // The name alone may have been that of an order before.
  const known = isNamed(ref.venueOrderId) ? streamed.find(isItsEnd) : undefined
  return stream.expect(isItsEnd, () => true, known)
}

async function awaitFilled(
  { stream, streamed }: FollowingState,
  symbol: string,
  order: VenueOrder,
  ms: number,
): Promise<VenueOrder | undefined> {
  const isMeant = ({ order: { clientOrderId, filled, averagePrice } }: OrderUpdate): boolean =>
    clientOrderId === order.clientOrderId && averagePrice !== null && !isLess(filled, order.filled)
  if (!stream.isLive()) return undefined
  const known = isNamed(order.venueOrderId) ? streamed.at(symbol, order) : streamed.find(isMeant)
  if (known !== undefined && isMeant(known)) return known.order
  const expected = stream.expect(isMeant, () => true)
  try {
    return (await expected.within(ms))?.order
  } finally {
    expected.stop()
  }
}

/** Looks up one order that is open by the stream's reports: the answer shows what the stream did not report on it. */
function check({ options, streamed }: FollowingState, checked: number): void {
  const open = streamed.open()
  const one = open[checked % Math.max(1, open.length)]
  if (one === undefined) return
  const { venueOrderId, clientOrderId, isConditional } = one.order
  void options.lookUp({ symbol: one.symbol, venueOrderId, clientOrderId, isConditional })
}
