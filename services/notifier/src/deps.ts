import type { Bucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import type { Log } from '@tripline/kit/telemetry/log'
import type { UserId } from '@tripline/proto/id'
import type { NotificationConfig } from '@tripline/proto/notification'
import type { Config } from './config.ts'
import type { Sending } from './domain/sending.ts'
import type { Db } from './store/tables.ts'

/** Sends one message of a user to where their settings say. */
export type Send = (settings: NotificationConfig, html: string) => Promise<Sending>

/** Dependencies of the notifier's duties. */
export interface Deps {
  config: Config
  bus: Bus
  db: Db
  log: Log
  /** The bucket `notifications`. */
  notifications: Bucket
  /** Returns a user's settings, as far as they are known now. */
  settingsOf: (userId: UserId) => NotificationConfig | undefined
  send: Send
}
