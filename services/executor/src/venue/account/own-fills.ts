import { isZero } from '@tripline/proto/decimal'
import { latestReadingMs } from '../../domain/order/absence.ts'
import type { VenueOrder } from '../../domain/order/order.ts'
import type { OrderListener } from './order-updates.ts'

/** The fills of our orders that the venue reported: a reading of the account that lacks them came too early. */
export interface OwnFills {
  /** Remembers when an order was filled, where it reports that. */
  note: (symbol: string, order: VenueOrder) => void
  /** The symbol of what was filled last, as long as a reading may lack it. */
  symbol: () => string | undefined
  /**
   * True where a reading shows all of it: `changedAt` is when the account changed last by that reading and the venue's
   * clock, in ms. One that reports no such time is believed.
   */
  isShown: (changedAt: number | undefined) => boolean
  /** Waits for nothing that was filled before: its position is not read any more. */
  forget: () => void
}

// The stamps of an order and of the account that it changed are those of one moment, rounded.
const stampsApartMs = 5

/** The last fill; a reading that shows it changed at `shownFrom` or later, by the venue's clock in ms. */
interface LastFill {
  symbol: string
  at: number
  shownFrom: number
}

/** No fills yet; `now` is the venue's time, in ms. */
export function createOwnFills(now: () => number): OwnFills {
  let last: LastFill | undefined
  const recent = () => (last !== undefined && now() - last.at <= latestReadingMs ? last : undefined)
  return {
    note: (symbol, { status, filled, updatedAt: at }) => {
      // A canceled order was changed last by that.
      if (at === null || status === 'canceled' || isZero(filled)) return
      if (last !== undefined && at <= last.at) return
      // The fill before it is reported by stamps of its own, however near they are.
      last = { symbol, at, shownFrom: Math.max(at - stampsApartMs, (last?.at ?? 0) + 1) }
    },
    symbol: () => recent()?.symbol,
    isShown: (changedAt) => {
      const fill = recent()
      return changedAt === undefined || fill === undefined || changedAt >= fill.shownFrom
    },
    forget: () => {
      last = undefined
    },
  }
}

/** Receives the updates of orders, for their fills. */
export function notingFills({ note }: OwnFills): OrderListener {
  return { onSending: () => undefined, onAnswer: note, onRefusal: () => undefined }
}
