import type { AccountUpdate, FillUpdate, OrderState } from '../../domain/account/view.ts'

/** Callbacks for the reports of a private stream on an account. */
export interface AccountListener {
  /** Called when it reports everything from now on; it did not report earlier events. */
  onLive: () => void
  /** Called when it reports nothing more. */
  onDown: () => void
  onAccount: (account: AccountUpdate) => void
  onFill: (fill: FillUpdate) => void
  onOrder: (order: OrderState) => void
  /** Called when settings were changed, by us or others. */
  onSettings: () => void
}

/** A subscription to a private stream, which is there while it has subscribers. */
export interface StreamSubscription {
  /** Has the other end show that it is there. */
  ping: () => void
  /** Until when all that was reported was received, by our monotonic clock; undefined where nothing shows it. */
  verifiedUntil: () => number | undefined
  /** Makes the connection anew: it looks alive, and does not report what happened. */
  renew: () => void
  stop: () => void
}
