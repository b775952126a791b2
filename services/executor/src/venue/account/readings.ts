import type { AccountReading } from '../../domain/account/account.ts'
import type { KnownReading } from '../../domain/account/known-reading.ts'
import type { ReadingNeed, ReadingScope } from '../../domain/account/reading-scope.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Venue } from '../venue.ts'
import { type LiveView, openLiveView, reservedForOrders, type ViewOptions } from './live-view.ts'
import type { OrderListener, OrderUpdates } from './order-updates.ts'
import { notingFills, type OwnFills } from './own-fills.ts'
import { isFlatNow } from './recall.ts'

/** The readings of one account, which is known from one command to the next. */
export interface Readings {
  read: (symbol: string, need: ReadingNeed) => Promise<AccountReading>
  /** The size of a symbol's positions, where these are known without asking. */
  positionNow: NonNullable<Venue['positionNow']>
  isFlatNow: NonNullable<Venue['isFlatNow']>
  knownNow: NonNullable<Venue['knownNow']>
  stop: () => void
}

/** An account that is read, and who receives its stream. */
export interface ReadAccount extends Pick<OrderUpdates, 'listen' | 'shown'> {
  fills: OwnFills
  endpoint: Pick<Endpoint, 'slots' | 'now' | 'budgetLeft'>
  subscribe: ViewOptions<unknown>['subscribe']
}

/** A market's way to read an account. */
interface ReadingWay<Answers> extends Pick<ViewOptions<Answers>, 'ask' | 'onSettings' | 'areBalancesApart'> {
  /** False while nothing is to be read in between, however much is left of what the venue allows. */
  mayRead: () => boolean
  /** Receives the updates of orders for their fills, where not all of them are of this market. */
  notingFills?: OrderListener
  /** Reads the account for one of its symbols, from memory where that is as good; without a scope the venue is asked. */
  readFor: (view: LiveView<Answers>, symbol: string, need: ReadingNeed) => Promise<AccountReading>
  /** Returns what is known of the account for one of its symbols without asking. */
  knownFor: (view: LiveView<Answers>, symbol: string, scope: ReadingScope) => KnownReading | undefined
  /** The size of a symbol's positions as they are known; undefined where they are to be read. They are followed from now on. */
  sizeFor: (view: LiveView<Answers>, ...place: Parameters<Readings['positionNow']>) => string | undefined
  /** Reads what else is read in between, such as settings. */
  refreshMore: (view: LiveView<Answers>) => Promise<unknown>
  /** Releases whatever else is in use for the account. */
  leave: () => void
}

/** The readings of an account that was not requested yet. */
export function createReadings<Answers>(
  { endpoint, subscribe, fills, listen, shown }: ReadAccount,
  { mayRead, readFor, knownFor, sizeFor, refreshMore, leave, ...way }: ReadingWay<Answers>,
): Readings {
  const stopListening = listen(way.notingFills ?? notingFills(fills))
  let isStopped = false
  const view: LiveView<Answers> = openLiveView({
    ...way,
    room: endpoint.slots,
    subscribe,
    listen,
    shown,
    isShown: fills.isShown,
    venueNow: endpoint.now,
    mayRead: () => mayRead() && endpoint.budgetLeft() > reservedForOrders,
    refreshMore: async () => await refreshMore(view),
  })
  return {
    positionNow: (symbol, side) => (isStopped ? undefined : sizeFor(view, symbol, side)),
    isFlatNow: (symbol) => !isStopped && isFlatNow(view, symbol),
    knownNow: (symbol, scope) => (isStopped ? undefined : knownFor(view, symbol, scope)),
    read: async (symbol, need) => {
      // A command that was on its way when its client ended leaves nothing behind it.
      const left = isStopped ? { scope: undefined, isBandPriceAsked: false } : {}
      return await readFor(view, symbol, { ...need, ...left })
    },
    stop: () => {
      isStopped = true
      view.stop()
      stopListening()
      leave()
    },
  }
}
