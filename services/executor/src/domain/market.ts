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
}
