import type { AccountReading } from './account.ts'

/** A market as known without asking; `account` is absent where what is held there is not known. */
export interface KnownReading {
  prices: Pick<AccountReading, 'bid' | 'ask' | 'mark' | 'bandPrice'>
  account?: AccountReading
}
