import type { AccountNews, FillNews, OrderNews } from '../../domain/account-view.ts'

/** What a private stream tells of an account. */
export interface AccountEars {
  /** From now on it tells everything; what was before it did not. */
  onLive: () => void
  /** It tells nothing more. */
  onDown: () => void
  onNews: (news: AccountNews) => void
  onFill: (fill: FillNews) => void
  onOrder: (order: OrderNews) => void
  /** Settings were changed, by whomever. */
  onSettings: () => void
}

/** A listening to a private stream, which is there while somebody listens. */
export interface Attendance {
  /** Has the other end show that it is there. */
  probe: () => void
  /** Until when all that was told was heard, by our monotonic clock; undefined where nothing shows it. */
  provenAt: () => number | undefined
  /** Makes the connection anew: it looks alive, and does not tell what happened. */
  renew: () => void
  stop: () => void
}
