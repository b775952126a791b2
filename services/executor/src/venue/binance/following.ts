import { now } from '@tripline/kit/clock'
import { isLess } from '@tripline/proto/decimal'
import type { AccountNews } from '../../domain/account-view.ts'
import {
  isTerminal,
  type LookUp,
  type OrderRef,
  type StreamWitness,
  type VenueOrder,
} from '../../domain/order.ts'
import type { AccountEars, Attendance } from '../account-view/account-ears.ts'
import { createExpectations, type Expectation, type Expectations } from '../expectation.ts'
import { type LiveSocket, witnessOf } from '../live-socket.ts'
import type { StreamTiming, Venue, VenueEvent } from '../venue.ts'
import { isNamed } from './answers.ts'
import { createTold, type Told } from './told.ts'
import { fillIn, isOf, standingIn, type ToldList, type ToldOrder } from './told-order.ts'

/** What a private stream calls when something comes in. */
export interface StreamEars {
  onOrder: (told: ToldOrder) => void
  /** An order list that the venue has taken, after its orders or before. */
  onList: (list: ToldList) => void
  /** What it tells of the account, which is read where somebody hears it. */
  onNews: (read: () => AccountNews) => void
  onSettings: () => void
  /** From now on it tells everything; what was before, and what could not be read, it did not. */
  onLive: () => void
  /** The connection is gone; the next one is on its way. */
  onDown: () => void
}

/** The followers of an account, on one private stream that is there while somebody follows. */
export interface Following {
  follow: NonNullable<Venue['follow']>
  /** Hears what the stream tells of the account. */
  attend: (ears: AccountEars) => Attendance
  /**
   * Takes in what an answer said of an order: the stream has to say as much soon. One that does not is dead, however
   * alive its connection looks, and is made anew.
   */
  expect: (symbol: string, order: VenueOrder) => void
  /** Waits for what the stream tells of one order. */
  expectOrder: Expectations<ToldOrder>['expect']
  /** Waits for the end of one order; the latest is that which was told before, if it has ended already. */
  expectEnd: (ref: OrderRef) => Expectation<ToldOrder>
  /** Waits for the news that the venue has taken a list. */
  expectList: Expectations<ToldList>['expect']
  /** True while there is a stream that tells. */
  isLive: () => boolean
  /** Since when it has told everything, and until when that is sure; undefined while there is none. */
  witness: () => StreamWitness | undefined
  /** Lets it show that it lives. */
  ping: () => void
  /** The last that it told of an order. */
  toldOf: (ref: OrderRef) => VenueOrder | undefined
  /** The same where it has told everything since then. */
  toldNow: NonNullable<Venue['toldNow']>
  /**
   * Settles with an order as the stream tells it once that is filled as far and has a price; undefined where it does not
   * within the time, and at once where there is no stream.
   */
  awaitFilled: (symbol: string, order: VenueOrder, ms: number) => Promise<VenueOrder | undefined>
}

export interface FollowingOptions {
  open: (ears: StreamEars) => LiveSocket
  /** Hears of each order how it stands by the stream. */
  onOrder: (symbol: string, order: VenueOrder) => void
  lookUp: (ref: OrderRef) => Promise<LookUp>
  /** The venue's time. */
  now: () => number
  timing: Partial<StreamTiming> | undefined
}

const usualTiming = { expectMs: 5000, checkMs: 60_000 }
// The venue's clock is known to within this, and what changed just before a stream began it need not tell.
const clockSlackMs = 500

interface State {
  options: FollowingOptions
  timing: typeof usualTiming
  listeners: Set<(event: VenueEvent) => void>
  attending: Set<AccountEars>
  expectations: Expectations<ToldOrder>
  listExpectations: Expectations<ToldList>
  told: Told
  /** Set while somebody follows. */
  stream: { socket: LiveSocket; checking: NodeJS.Timeout } | undefined
  /** Since when the present connection tells, by the venue's clock, and by ours. */
  liveSince: number | undefined
  toldFrom: number
  checked: number
}

/** Nobody follows yet. */
export function createFollowing(options: FollowingOptions): Following {
  const state: State = {
    options,
    timing: { ...usualTiming, ...options.timing },
    listeners: new Set(),
    attending: new Set(),
    expectations: createExpectations(),
    listExpectations: createExpectations(),
    told: createTold(),
    stream: undefined,
    liveSince: undefined,
    toldFrom: 0,
    checked: 0,
  }
  return {
    follow: (listener) => {
      state.listeners.add(listener)
      if (state.stream === undefined) start(state)
      else if (state.liveSince !== undefined) listener({ kind: 'gap' })
      return () => {
        state.listeners.delete(listener)
        stopUnheard(state)
      }
    },
    attend: (ears) => attend(state, ears),
    expect: (symbol, order) => expect(state, symbol, order),
    expectOrder: state.expectations.expect,
    expectEnd: (ref) => expectEnd(state, ref),
    expectList: state.listExpectations.expect,
    isLive: () => state.liveSince !== undefined,
    witness: () => witness(state),
    ping: () => state.stream?.socket.ping(),
    toldOf: (ref) => state.told.find((told) => isOf(told, ref))?.order,
    toldNow: (ref) => toldNow(state, ref),
    awaitFilled: async (symbol, order, ms) => await awaitFilled(state, symbol, order, ms),
  }
}

function attend(state: State, ears: AccountEars): Attendance {
  state.attending.add(ears)
  if (state.stream === undefined) start(state)
  else if (state.liveSince !== undefined) ears.onLive()
  return {
    probe: () => state.stream?.socket.ping(),
    provenAt: () => state.stream?.socket.provenAt(),
    renew: () => giveUp(state),
    stop: () => {
      state.attending.delete(ears)
      stopUnheard(state)
    },
  }
}

function stopUnheard(state: State): void {
  if (state.listeners.size === 0 && state.attending.size === 0) stop(state)
}

function start(state: State): void {
  const socket = state.options.open({
    onOrder: (told) => {
      const fill = fillIn(told)
      if (fill !== undefined) for (const { onFill } of state.attending) onFill(fill)
      const standing = standingIn(told)
      for (const { onOrder } of state.attending) onOrder(standing)
      const order = state.told.hear(told)
      if (order === undefined) return
      state.options.onOrder(told.symbol, order)
      state.expectations.tell({ ...told, order })
      tell(state, { kind: 'order', order })
    },
    onList: (list) => state.listExpectations.tell(list),
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
      state.toldFrom = now() + clockSlackMs
      state.told.missSome()
      tell(state, { kind: 'gap' })
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

function stop(state: State): void {
  clearInterval(state.stream?.checking)
  state.stream?.socket.stop()
  state.stream = undefined
  state.liveSince = undefined
}

function tell({ listeners }: State, event: VenueEvent): void {
  for (const listener of listeners) listener(event)
}

function expect(state: State, symbol: string, order: VenueOrder): void {
  const { liveSince, told, timing } = state
  if (liveSince === undefined || order.updatedAt === null) return
  if (order.updatedAt < liveSince + clockSlackMs || told.covers(symbol, order)) return
  const judge = () => {
    if (state.liveSince !== liveSince || told.covers(symbol, order)) return
    giveUp(state)
  }
  // Where this process stood still, what was told meanwhile is read before it is missed.
  setTimeout(() => setImmediate(judge), timing.expectMs).unref()
}

function expectEnd({ expectations, told }: State, ref: OrderRef): Expectation<ToldOrder> {
  const isItsEnd = (news: ToldOrder): boolean => isTerminal(news.order) && isOf(news, ref)
  // The name alone may have been that of an order before.
  const known = isNamed(ref.venueOrderId) ? told.find(isItsEnd) : undefined
  return expectations.expect(isItsEnd, () => true, known)
}

function toldNow({ told, liveSince }: State, ref: OrderRef): VenueOrder | undefined {
  return liveSince === undefined ? undefined : told.findNow((one) => isOf(one, ref))?.order
}

function witness({ liveSince, toldFrom, stream }: State): StreamWitness | undefined {
  return liveSince === undefined ? undefined : witnessOf(toldFrom, stream?.socket)
}

async function awaitFilled(
  { liveSince, told, expectations }: State,
  symbol: string,
  order: VenueOrder,
  ms: number,
): Promise<VenueOrder | undefined> {
  const isMeant = ({ order: { clientOrderId, filled, averagePrice } }: ToldOrder): boolean =>
    clientOrderId === order.clientOrderId && averagePrice !== null && !isLess(filled, order.filled)
  if (liveSince === undefined) return undefined
  const known = isNamed(order.venueOrderId) ? told.at(symbol, order) : told.find(isMeant)
  if (known !== undefined && isMeant(known)) return known.order
  const expected = expectations.expect(isMeant, () => true)
  try {
    return (await expected.within(ms))?.order
  } finally {
    expected.stop()
  }
}

function giveUp(state: State): void {
  // Whatever else was not told is no reason to give up the next connection too.
  state.liveSince = undefined
  state.stream?.socket.renew('silent')
}

/** Asks for one order that is open by what the stream told: what it did not tell of it shows in the answer. */
function check(state: State): void {
  const open = state.told.open()
  const one = open[state.checked % Math.max(1, open.length)]
  state.checked++
  if (one === undefined) return
  const { venueOrderId, clientOrderId, isConditional } = one.order
  void state.options.lookUp({ symbol: one.symbol, venueOrderId, clientOrderId, isConditional })
}
