import type { AccountReading } from '../../domain/account/account.ts'
import type { KnownReading } from '../../domain/account/known-reading.ts'
import type { ReadingNeed, ReadingScope } from '../../domain/account/reading-scope.ts'
import { type KeptView, keepView, keptForOrders, type ViewOptions } from '../account/keep-view.ts'
import type { OrderListener } from '../account/order-updates.ts'
import { notingFills, type OwnFills } from '../account/own-fills.ts'
import { isFlatNow } from '../account/recall.ts'
import type { ShownAfter } from '../account/shown-after.ts'
import type { Codes } from '../http/refusal.ts'
import { type RestClient, type Urgency, urgencyOf } from '../http/rest-client.ts'
import type { Venue, VenueOptions } from '../venue.ts'
import { readWith } from './ask.ts'
import type { Endpoint } from './endpoint.ts'
import type { Following } from './following.ts'
import type { Limits } from './limits.ts'

/** The readings of one account, which is known from one command to the next. */
export interface Readings extends ShownAfter {
  read: Venue['read']
  /** The size of a symbol's positions, where these are known without asking. */
  positionNow: NonNullable<Venue['positionNow']>
  isFlatNow: NonNullable<Venue['isFlatNow']>
  knownNow: NonNullable<Venue['knownNow']>
  /** Receives the updates of the account's orders, for all its clients. */
  publisher: OrderListener
  stop: () => void
}

/** An account, by whom it is asked for, and who receives its stream. */
export interface ReadAccount {
  fills: OwnFills
  options: VenueOptions
  endpoint: Endpoint
  limits: Limits
  restClient: RestClient
  following: Following
}

/** Reads an account at one of Binance's markets. */
interface ReadingWay<Answers> extends Pick<ViewOptions<Answers>, 'onSettings'> {
  codes: Codes
  /** Asks for what the account has. */
  askAccount: (urgency: Urgency) => ReturnType<ViewOptions<Answers>['ask']>
  /** Reads the account for one of its symbols, from what is kept where that is as good; without a scope it is asked. */
  readFor: (view: KeptView<Answers>, symbol: string, need: ReadingNeed) => Promise<AccountReading>
  /** Returns what is known of the account for one of its symbols without asking. */
  knownFor: (view: KeptView<Answers>, symbol: string, scope: ReadingScope) => KnownReading | undefined
  /** The size of a symbol's positions as they are known; undefined where they are to be read. It is kept known. */
  sizeFor: (view: KeptView<Answers>, ...place: Parameters<Readings['positionNow']>) => string | undefined
  /** Reads what else is read in between, such as settings. */
  refreshMore: (view: KeptView<Answers>) => Promise<unknown>
  /** Lets go of what else is kept. */
  leave: () => void
}

/** The readings of an account that nobody asked for yet. */
export function createReadings<Answers>(
  { options, endpoint, limits, following, fills }: ReadAccount,
  { codes, askAccount, readFor, knownFor, sizeFor, leave, refreshMore, onSettings }: ReadingWay<Answers>,
): Readings {
  const updates = endpoint.orderUpdatesOf(options.credentials.apiKey)
  const { publisher, listen, changed, shown } = updates.get()
  const stopListening = listen(notingFills(fills))
  let isStopped = false
  const view: KeptView<Answers> = keepView({
    room: endpoint.slots,
    subscribe: following.subscribe,
    listen,
    shown,
    isShown: fills.isShown,
    ask: async (isUrgent) => await askAccount(urgencyOf(isUrgent)),
    venueNow: endpoint.now,
    mayRead: () => limits.objectionTo('read') === undefined && endpoint.budgetLeft() > keptForOrders,
    refreshMore: async () => await refreshMore(view),
    onSettings,
  })
  return {
    publisher,
    changed,
    shown,
    positionNow: (symbol, side) => (isStopped ? undefined : sizeFor(view, symbol, side)),
    isFlatNow: (symbol) => !isStopped && isFlatNow(view, symbol),
    knownNow: (symbol, scope) => (isStopped ? undefined : knownFor(view, symbol, scope)),
    read: async (symbol, need = {}) => {
      // A command that was on its way when its client ended leaves nothing behind it.
      const left = isStopped ? { scope: undefined, isBandPriceAsked: false } : {}
      return await readWith(codes, async () => await readFor(view, symbol, { ...need, ...left }))
    },
    stop: () => {
      isStopped = true
      view.stop()
      stopListening()
      updates.leave()
      leave()
    },
  }
}
