import type { AccountReading } from './account.ts'

/** What is known of a market without asking; `account` is absent where what is held there is not known. */
export interface KnownReading {
  prices: Pick<AccountReading, 'bid' | 'ask' | 'mark' | 'bandPrice'>
  account?: AccountReading
}
