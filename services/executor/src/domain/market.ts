/** What a venue says of an instrument; all quantities and prices are decimal text. */
export interface Market {
  /** The venue's spelling, such as `BTCUSDT`. */
  symbol: string
  kind: 'linear' | 'spot'
  base: string
  quote: string
  isTrading: boolean
  quantityStep: string
  minQuantity: string
  maxQuantity: string
  priceTick: string
  /** The least value of an order; one that only reduces a linear position is exempt. */
  minNotional: string
  /** How far limit prices may lie from the mark, as factors of it: buys no higher, sells no lower. */
  priceBand: { highest: string; lowest: string } | undefined
}
