/** Prices of perpetuals that are reported without asking, for those that are followed. */
export interface MarketPrices {
  /** Has a symbol's best bid and ask and its mark reported for some minutes from now on. */
  follow: (symbol: string) => void
  /** Has its mark reported alone. */
  followMark: (symbol: string) => void
  /** The best bid and ask now; undefined where they are to be asked for. */
  book: (symbol: string) => { bid: string; ask: string } | undefined
  /** The mark now; undefined where it is to be asked for. */
  mark: (symbol: string) => string | undefined
  stop: () => void
}

/** Prices of which none is reported. */
export const noPrices: MarketPrices = {
  follow: () => undefined,
  followMark: () => undefined,
  book: () => undefined,
  mark: () => undefined,
  stop: () => undefined,
}
