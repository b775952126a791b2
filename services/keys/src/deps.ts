import type { Bucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import type { NamedKey } from '@tripline/kit/crypto/named-key'
import type { Log } from '@tripline/kit/telemetry/log'
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
