/** A category with the market that its rows trade. */
export type Kind = Readonly<{
  category: 'linear' | 'spot'
  symbol: string
  fee: number
  feeCoin: string
}>

/** Both categories; each row of the suites runs on each unless it is about one only. */
export const KINDS: readonly Kind[] = [
  { category: 'linear', symbol: 'BTC/USDT:USDT', fee: 0.00055, feeCoin: 'USDT' },
  { category: 'spot', symbol: 'BTC/USDT', fee: 0.001, feeCoin: 'BTC' },
]

/** The symbol of both categories' market, and its prices while nobody pins others. */
export const BTC = 'BTCUSDT'
export const [BID, ASK] = [59_999.9, 60_000.1]

/** The fields of an order of the linear market that rests. */
export const ORDER = {
  category: 'linear',
  symbol: BTC,
  side: 'Buy',
  orderType: 'Limit',
  qty: '0.01',
  price: '58000',
}

let count = 0

/** A link id that no order had before. */
export function nextId(): string {
  count += 1
  return `t-${Date.now().toString(36)}_${count}`
}
