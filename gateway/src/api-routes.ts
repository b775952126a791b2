import type { SealingKey } from '@tripline/kit/crypto/seal'
import type { Health } from '@tripline/proto/http/health'
import type { Access } from './access/access.ts'
import type { Ask } from './ask.ts'
import { accountRoutes } from './routes/account.ts'
import type { Api } from './routes/api.ts'
import { authRoutes } from './routes/auth.ts'
import { authMailRoutes } from './routes/auth-mail.ts'
import { authSessionRoutes } from './routes/auth-session.ts'
import { closeOnlyRoutes } from './routes/close-only.ts'
import { commandRoutes } from './routes/command.ts'
import { eventStreamRoutes, publicStreamRoutes } from './routes/event-stream.ts'
import { executionRoutes } from './routes/execution.ts'
import { executionExportRoutes } from './routes/execution-export.ts'
import { executionSummaryRoutes } from './routes/execution-summary.ts'
import { executionSumsRoutes } from './routes/execution-sums.ts'
import { healthRoutes } from './routes/health.ts'
import { keyRoutes } from './routes/key.ts'
import { keyAddressRoutes } from './routes/key-address.ts'
import { notificationRoutes } from './routes/notification.ts'
import { receiptRoutes } from './routes/receipt.ts'
import { tradingRoutes } from './routes/trading.ts'
import { userRoutes } from './routes/user.ts'
import { waitlistRoutes } from './routes/waitlist.ts'
import { webhookConfigRoutes } from './routes/webhook-config.ts'
import type { Streams } from './stream/streams.ts'

/** Dependencies of the calls of the API. */
export interface ApiParts {
  ask: Ask
  access: Access
  streams: Pick<Streams, 'own' | 'everybody'>
  sealingKeys: Record<'executor' | 'notifier', SealingKey>
  checkHealth: () => Promise<Health>
  publicUrl: string
  egressAddresses: readonly string[]
  isOkxOn: boolean
}

/** Every call of the API. */
export function apiRoutes(api: Api, parts: ApiParts): void {
  const { ask, access, streams, sealingKeys, checkHealth, publicUrl, egressAddresses, isOkxOn } = parts
  authRoutes(api, ask, access)
  authMailRoutes(api, ask)
  authSessionRoutes(api, ask, access)
  waitlistRoutes(api, ask)
  userRoutes(api, ask, access)
  keyRoutes(api, ask, access, { sealingKey: sealingKeys.executor, isOkxOn })
  keyAddressRoutes(api, access, egressAddresses)
  tradingRoutes(api, ask, access)
  closeOnlyRoutes(api, ask, access, publicUrl)
  notificationRoutes(api, ask, access, sealingKeys.notifier)
  webhookConfigRoutes(api, ask, access, publicUrl)
  executionRoutes(api, ask, access)
  executionExportRoutes(api, ask, access)
  executionSummaryRoutes(api, ask, access)
  executionSumsRoutes(api, ask, access)
  receiptRoutes(api, ask, access)
  commandRoutes(api, ask, access)
  accountRoutes(api, ask, access)
  eventStreamRoutes(api, access, streams.own)
  publicStreamRoutes(api, streams.everybody)
  healthRoutes(api, checkHealth)
}
