import { z } from 'zod'
import { AlertBlock } from './alert.ts'
import { DiagnosticView } from './http/webhook.ts'
import { UserId } from './id.ts'
import { requestContract } from './request.ts'
import { AlertFormat } from './user-config.ts'

/** Reads a message as a webhook of this format would, without running it; there are no blocks where it would be refused. */
export const readAlertMessage = requestContract(
  'intake.message.read',
  z.object({ userId: UserId, message: z.string(), alertFormat: AlertFormat.default('tripline') }),
  z.object({ blocks: z.array(AlertBlock), diagnostics: z.array(DiagnosticView) }),
)
