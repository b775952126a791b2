import type { Bucket } from '@tripline/kit/bucket'
import type { Bus } from '@tripline/kit/bus'
import type { Log } from '@tripline/kit/log'
import type { NamedKey } from '@tripline/kit/named-key'
import type { Db } from './store/database.ts'

/** Dependencies of keys' requests. */
export interface Deps {
  bus: Bus
  db: Db
  log: Log
  /** The bucket `config`. */
  configs: Bucket
  /** The bucket `credentials`. */
  credentials: Bucket
  /** The bucket `notifications`. */
  notifications: Bucket
  keks: readonly [NamedKey, ...NamedKey[]]
  allowMainnetFutures: boolean
  maxBotsPerUser: number
  paperAccountsPerDay: number
}
