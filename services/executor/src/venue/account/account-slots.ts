/** The room that is left at an address, of which all its clients take. */
export interface Semaphore {
  /** Takes a place; false where none is left. */
  acquire: () => boolean
  release: () => void
}

// Each account in use has a connection of its own, and all are made anew at once after an outage. Of an address venues
// take 300 in 5 minutes (Binance, https://academy.binance.com/en/articles/what-are-binance-websocket-limits) or 500 (Bybit,
// https://bybit-exchange.github.io/docs/v5/rate-limit); the rest is for what is followed and asked besides.
const mostSlots = 200

/** Places for so many accounts, all of them free. */
export function createSemaphore(most = mostSlots): Semaphore {
  let taken = 0
  return {
    acquire: () => {
      if (taken >= most) return false
      taken++
      return true
    },
    release: () => {
      taken--
    },
  }
}
