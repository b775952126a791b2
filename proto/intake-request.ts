import { z } from 'zod'
import { AlertBlock, Moment } from './alert.ts'
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

/** How much of the webhook's limit is used now, and which addresses called its present URL last, newest first. */
export const getWebhookUsage = requestContract(
  'intake.webhook.usage',
  z.object({ userId: UserId }),
  z.object({
    usedLastMinute: z.int().nonnegative(),
    senders: z.array(z.object({ address: z.string(), seenAt: Moment, isTradingview: z.boolean() })),
  }),
)

/**
 * The header under which the gateway names a request; an answer that repeats it asks to be told of its delivery. The
 * gateway drops what callers say there.
 */
export const deliveryHeader = 'x-tripline-delivery'

/** Whether a caller got the answer to the request of this name; a later word replaces an earlier one. */
export const AnswerDelivery = z.object({ id: z.string(), isReceived: z.boolean() })
