import { now } from '@tripline/kit/time/clock'
import type { Quote } from '../../domain/order/reference.ts'

/** The recent bids and asks of markets. Quotes that were looked at in passing are for comparison only. */
export interface Quotes {
  /** The last quote of a symbol; undefined where none was read lately. */
  recent: (symbol: string) => Quote | undefined
  /** Reads one, unless that was done just now; a quote that cannot be had is dropped. */
  look: (symbol: string) => void
  /** Returns the market's present bid and ask, for a caller that waits for a price; undefined if it cannot be had. */
  ask: (symbol: string) => Promise<Quote | undefined>
  /** The same, requested from now on: for an order that depends on it. */
  askAnew: (symbol: string) => Promise<Quote | undefined>
}

/** The age that a quote may have for an order to be compared with it. */
const recentMs = 1000
// Looks are a courtesy, and share the venue's limits with orders: four a second at most, and none for a while after one
// that failed.
const betweenMs = 250
const afterFailureMs = 30_000

/** The age that a quote may have for a caller, so that many who wait for prices of one market ask once. */
const sharedMs = 500

interface Shared {
  quotes: Map<string, Quote>
  /** The questions under way, by symbol: who asks meanwhile shares the answer. */
  asking: Map<string, Promise<Quote | undefined>>
  nextAt: number
}

/** The quotes of a family of markets, which all clients of an address share; each reads by its own account. */
export type QuoteBoards = (
  family: string,
  read: (symbol: string) => Promise<{ bid: string; ask: string }>,
) => Quotes

/** Nothing was looked at yet. */
export function createQuoteBoards(): QuoteBoards {
  const boards = new Map<string, Shared>()
  return (family, read) => {
    const shared = boards.get(family) ?? { quotes: new Map(), asking: new Map(), nextAt: 0 }
    boards.set(family, shared)
    return quotesOf(shared, read)
  }
}

function quotesOf(shared: Shared, read: (symbol: string) => Promise<{ bid: string; ask: string }>): Quotes {
  const recent = (symbol: string): Quote | undefined => {
    const quote = shared.quotes.get(symbol)
    return quote !== undefined && now() - quote.askedAt <= recentMs ? quote : undefined
  }
  const look = async (symbol: string, askedAt: number): Promise<void> => {
    try {
      shared.quotes.set(symbol, { ...(await read(symbol)), askedAt })
    } catch {
      shared.nextAt = now() + afterFailureMs
    }
  }
  const ask = async (symbol: string): Promise<Quote | undefined> => {
    const askedAt = now()
    try {
      const quote = { ...(await read(symbol)), askedAt }
      shared.quotes.set(symbol, quote)
      return quote
    } catch {
      return undefined
    }
  }
  return {
    recent,
    askAnew: ask,
    ask: async (symbol) => {
      const known = recent(symbol)
      if (known !== undefined && now() - known.askedAt <= sharedMs) return known
      const asking = shared.asking.get(symbol) ?? ask(symbol).finally(() => shared.asking.delete(symbol))
      shared.asking.set(symbol, asking)
      return await asking
    },
    look: (symbol) => {
      const askedAt = now()
      if (askedAt < shared.nextAt || recent(symbol) !== undefined) return
      shared.nextAt = askedAt + betweenMs
      void look(symbol, askedAt)
    },
  }
}
