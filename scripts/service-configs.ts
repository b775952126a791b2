import type { ServiceName } from '@tripline/testkit/stack/services'
import { Config as GatewayConfig } from '../gateway/src/config.ts'
import { Config as AuthConfig } from '../services/auth/src/config.ts'
import { Config as ExecutorConfig } from '../services/executor/src/config.ts'
import { Config as HistoryConfig } from '../services/history/src/config.ts'
import { Config as IntakeConfig } from '../services/intake/src/config.ts'
import { Config as KeysConfig } from '../services/keys/src/config.ts'
import { Config as NotifierConfig } from '../services/notifier/src/config.ts'
import { Config as PaperExchangeConfig } from '../services/paper-exchange/src/config.ts'

/** One setting of a process, by what it takes. */
export interface Setting {
  safeParse(value: unknown): { success: boolean; data?: unknown }
}

/** The names and values of a process's settings, by its own schema. */
export interface Settings {
  shape: Record<string, Setting>
}

/** The settings of every service. */
export const serviceConfigs: Record<ServiceName, Settings> = {
  gateway: GatewayConfig,
  intake: IntakeConfig,
  executor: ExecutorConfig,
  auth: AuthConfig,
  keys: KeysConfig,
  history: HistoryConfig,
  notifier: NotifierConfig,
  'paper-exchange': PaperExchangeConfig,
}
