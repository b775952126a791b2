import type { AlertBlock, AlertMessage } from '@tripline/proto/alert'
import type { ExecutionId } from '@tripline/proto/id'
import type { BotConfig } from '@tripline/proto/user-config'
import type { BotLimits } from '../domain/account/permit.ts'
import type { Lanes } from '../lanes/lanes.ts'
import type { EntryStore } from '../store/entry-store.ts'
import type { EventLog } from '../store/event-log.ts'
import type { BotClient } from '../venue/pool.ts'
import type { Watching } from '../watching/market-watches.ts'
import type { RunBasis } from './drive.ts'
import type { PriorAttempt } from './prior-attempt.ts'
import type { RunMeters } from './run-meter.ts'

/** Target of a block; without a client nothing can be done there now. */
export interface BlockTarget {
  bot: BotConfig
  client: BotClient | undefined
  /** Why no order can be signed with the bot's credentials, and what to do; undefined where none is known of. */
  problem?: string | undefined
}

/** An alert that is run, and what it needs. */
export interface AlertRun extends RunBasis {
  alert: AlertMessage
  takenAt: number
  /** When the alert was stored, by the bus. */
  durableAt: number
  priorAttempt: PriorAttempt | undefined
  /** The bots of the alert's blocks, as they are configured, with their clients. */
  targets: readonly (BlockTarget | undefined)[]
  lanes: Lanes
  events: EventLog
  entries: Pick<EntryStore, 'read' | 'readNow' | 'note'>
  watching: Watching
  limitsOf: (block: AlertBlock) => BotLimits
  /** Called at once where a part of the alert ends without entering its lane: alerts behind it wait for this. */
  onLeftOut: (stored: Promise<void>) => void
  forgetOvertaken: (executionId: ExecutionId) => void
  meters: RunMeters
}
