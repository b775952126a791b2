import type { Exchange } from 'ccxt'
import type { AccountReading } from '../../domain/account/account.ts'
import type { ReadingNeed } from '../../domain/account/reading-scope.ts'
import type { AccountStatement } from '../../domain/account/statement.ts'
import type { VenueOrder } from '../../domain/order/order.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Markets } from '../http/library-client.ts'
import { type Codes, HeldBackError, readFailure } from '../http/refusal.ts'
import { type Urgency, urgencyOf } from '../http/rest-client.ts'
import type { OpenedVenue, Venue } from '../venue.ts'
import { reservedForOrders } from './live-view.ts'
import type { OrderListener, OrderUpdates } from './order-updates.ts'
import { type Answers, type OrderCalls, withUpdates } from './published-calls.ts'
import type { Share } from './shared.ts'

/** The parts of an account's client, as its market has them. */
export interface ClientParts extends Pick<OpenedVenue, 'tryKey'> {
  library: Exchange
  endpoint: Endpoint
  markets: Markets
  codes: Codes
  updates: Share<OrderUpdates>
  /** Receives what calls say of orders. */
  publisher: OrderListener
  calls: OrderCalls
  answers: Answers
  listOpen: (symbol: string, urgency: Urgency) => Promise<readonly VenueOrder[]>
  readStatement: () => Promise<AccountStatement>
  read: (symbol: string, need: ReadingNeed) => Promise<AccountReading>
  /** The market's quotes, by the venue's name for its family. */
  quotes: [family: string, ask: (symbol: string) => Promise<{ bid: string; ask: string }>]
  /** Everything that another market does in another way, or does not have. */
  more: Pick<Venue, 'changeSettings'> & Partial<Venue>
  stop: () => void
}

/** The client of an account. */
export function venueClient(parts: ClientParts): OpenedVenue {
  const { endpoint, markets, codes, updates, calls, publisher, answers } = parts
  const { changed, shown } = updates.get()
  return {
    client: parts.library,
    tryKey: parts.tryKey,
    stop: () => {
      parts.stop()
      updates.leave()
    },
    venue: {
      market: (symbol) => markets.get(symbol),
      clockAheadMs: endpoint.aheadMs,
      symbols: () => [...markets.keys()],
      ...withUpdates(calls, publisher, answers, changed),
      openOrders: async (symbol, isUrgent) => {
        try {
          await shown()
          return { outcome: 'read', orders: await parts.listOpen(symbol, urgencyOf(isUrgent)) }
        } catch (error) {
          return readFailure(error, codes)
        }
      },
      // It is a courtesy, and leaves half of what the venue allows to orders.
      statement: async () => {
        try {
          endpoint.refuseWhileBanned()
          if (endpoint.budgetLeft() <= reservedForOrders)
            throw new HeldBackError('half of the requests are used, and the rest is reserved for orders')
          await shown()
          return { outcome: 'read', statement: await parts.readStatement() }
        } catch (error) {
          return readFailure(error, codes)
        }
      },
      read: async (symbol, need = {}) => {
        try {
          return { outcome: 'read', account: await parts.read(symbol, need) }
        } catch (error) {
          return error instanceof UnlistedSymbolError ? notListed : readFailure(error, codes)
        }
      },
      quotes: endpoint.quotes(...parts.quotes),
      ...parts.more,
    },
  }
}

/** Thrown where an account is to be read for a symbol that the venue does not list. */
export class UnlistedSymbolError extends Error {}

const notListed = { outcome: 'refused', code: 'E401', error: 'The symbol is not listed' } as const
