import type { Bus } from '@tripline/kit/bus/bus'
import type { NamedKey } from '@tripline/kit/crypto/named-key'
import type { Log } from '@tripline/kit/telemetry/log'
import type { Passwords } from './crypto/password.ts'
import type { SessionLimits } from './domain/session.ts'
import type { KeyRotation } from './domain/signing-key-plan.ts'
import type { ThrottleLimits } from './domain/throttle.ts'
import type { Db } from './store/database.ts'

/** Dependencies of auth's requests. */
export interface Deps {
  bus: Bus
  db: Db
  log: Log
  keks: readonly [NamedKey, ...NamedKey[]]
  passwords: Passwords
  /** The wall clock in ms. */
  now: () => number
  accessTokenMs: number
  keyRotation: KeyRotation
  sessionLimits: SessionLimits
  throttleLimits: ThrottleLimits
}
