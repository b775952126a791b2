import type { Answer } from '../wire/message.ts'
import type { AccountView, FillView } from './describe-account.ts'
import { type Column, html, page, table } from './html.ts'

const VENUE_NAMES: Readonly<Record<string, string>> = {
  'binance-spot': 'Binance spot',
  'binance-futures': 'Binance futures',
  'bybit-spot': 'Bybit spot',
  'bybit-linear': 'Bybit linear',
  'okx-spot': 'OKX spot',
  'okx-linear': 'OKX swaps',
}

type MarketName = Readonly<{ venue: string; symbol: string }>

const venueColumn: Column<MarketName> = { name: 'Venue', show: ({ venue }) => VENUE_NAMES[venue] ?? venue }
const symbolColumn: Column<MarketName> = { name: 'Symbol', show: ({ symbol }) => symbol }

const BALANCES: readonly Column<readonly [string, string]>[] = [
  { name: 'Coin', show: ([coin]) => coin },
  { name: 'Balance', isNumber: true, show: ([, amount]) => amount },
]

const POSITIONS: readonly Column<AccountView['positions'][number]>[] = [
  venueColumn,
  symbolColumn,
  { name: 'Quantity', isNumber: true, show: ({ quantity }) => quantity },
  { name: 'Entry price', isNumber: true, show: ({ entryPrice }) => entryPrice },
  { name: 'Mark price', isNumber: true, show: ({ markPrice }) => markPrice },
  { name: 'Unrealized', isNumber: true, show: ({ unrealized }) => unrealized },
  { name: 'Leverage', isNumber: true, show: ({ leverage }) => `${leverage}×` },
  { name: 'Margin', show: ({ marginMode }) => marginMode },
]

const ORDERS: readonly Column<AccountView['openOrders'][number]>[] = [
  venueColumn,
  symbolColumn,
  { name: 'Side', show: ({ side }) => side },
  { name: 'Type', show: ({ type, reduceOnly }) => (reduceOnly ? `${type}, reduce only` : type) },
  { name: 'Price', isNumber: true, show: ({ type, price }) => (type === 'market' ? '–' : price) },
  { name: 'Trigger', isNumber: true, show: ({ triggerPrice }) => triggerPrice ?? '–' },
  { name: 'Filled', isNumber: true, show: ({ filled, quantity }) => `${filled} of ${quantity}` },
  { name: 'Client order id', show: ({ clientOrderId }) => clientOrderId },
]

const FILLS: readonly Column<FillView>[] = [
  { name: 'Time (UTC)', show: ({ at }) => timeOf(at) },
  venueColumn,
  symbolColumn,
  { name: 'Side', show: ({ side }) => side },
  { name: 'Quantity', isNumber: true, show: ({ quantity }) => quantity },
  { name: 'Price', isNumber: true, show: ({ price }) => price },
  { name: 'Fee', isNumber: true, show: ({ fee, feeAsset }) => `${fee} ${feeAsset}` },
  { name: 'Realized', isNumber: true, show: ({ realized }) => realized },
]

/** One account, for a browser. */
export function accountPage(account: AccountView, fills: readonly FillView[]): Answer {
  return page(
    'Paper account',
    html`<p><a href="../accounts">All accounts</a></p><h1>Paper account</h1>
<p class="key">${account.apiKey}</p><p>Opened ${timeOf(account.openedAt)} UTC</p>
<h2>Balances</h2>${table(Object.entries(account.balances), BALANCES, 'It holds nothing.')}
<h2>Positions</h2>${table(account.positions, POSITIONS, 'No positions.')}
<h2>Open orders</h2>${table(account.openOrders, ORDERS, 'No open orders.')}
<h2>Latest fills</h2>${table(fills, FILLS, 'No fills yet.')}`,
  )
}

/** An account in the list of all. */
export type AccountRow = Readonly<{
  apiKey: string
  openedAt: number
  balances: Readonly<Record<string, string>>
}>

const ACCOUNTS: readonly Column<AccountRow>[] = [
  {
    name: 'Account',
    show: ({ apiKey }) => html`<a class="key" href="accounts/${encodeURIComponent(apiKey)}">${apiKey}</a>`,
  },
  {
    name: 'Balances',
    show: ({ balances }) =>
      Object.entries(balances)
        .map(([coin, amount]) => `${amount} ${coin}`)
        .join(', '),
  },
  { name: 'Opened (UTC)', show: ({ openedAt }) => timeOf(openedAt) },
]

/** Every account, for a browser. */
export function accountsPage(accounts: readonly AccountRow[]): Answer {
  return page(
    'Paper accounts',
    html`<h1>Paper accounts</h1>${table(accounts, ACCOUNTS, 'No accounts are open.')}`,
  )
}

function timeOf(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').slice(0, 19)
}
