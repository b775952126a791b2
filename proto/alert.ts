import { z } from 'zod'
import { Block } from './alert-tree.ts'
import { CommandResult } from './command-result.ts'
import { AlertId, BotId, ExecutionId, UserId } from './id.ts'

/** A moment on the wall clock in ms since the epoch, with fractions, comparable across processes of one machine. */
export const Moment = z.number()

/** One block of an alert, matched to the bot it names. */
export const AlertBlock = Block.extend({ botId: BotId })
export type AlertBlock = z.infer<typeof AlertBlock>

/** One webhook message on its way to the executor, as it lies in the `ALERTS` stream. */
export const AlertMessage = z.object({
  alertId: AlertId,
  userId: UserId,
  /** The text of the alert, at most 64 KiB. */
  message: z.string(),
  /** The body as it was received, where the message is not the whole of it. */
  body: z.string().exactOptional(),
  blocks: z.array(AlertBlock).min(1),
  /** False for a resend that took over an earlier message's ids: it may have been executed already. */
  isFirst: z.boolean(),
  receivedAt: Moment,
  readAt: Moment,
})
export type AlertMessage = z.infer<typeof AlertMessage>

/** How an execution, or a whole alert, ended. */
export const OverallStatus = z.enum(['success', 'partial', 'failed'])
export type OverallStatus = z.infer<typeof OverallStatus>

/** `success` when every part succeeded, `failed` when none did, `partial` otherwise. */
export function overallStatus(parts: readonly { succeeded: boolean }[]): OverallStatus {
  const succeeded = parts.filter((part) => part.succeeded).length
  if (succeeded === parts.length) return 'success'
  return succeeded === 0 ? 'failed' : 'partial'
}

/** What became of one block. */
export const ExecutionResult = z.object({
  executionId: ExecutionId,
  label: z.string(),
  symbol: z.string(),
  status: OverallStatus,
  commands: z.array(CommandResult),
})
export type ExecutionResult = z.infer<typeof ExecutionResult>

/** The moments of an alert's way through the executor; absent ones did not happen. */
export const AlertMoments = z.object({
  takenAt: Moment,
  checkedAt: Moment.optional(),
  firstSentAt: Moment.optional(),
  firstAcknowledgedAt: Moment.optional(),
  finishedAt: Moment,
})
export type AlertMoments = z.infer<typeof AlertMoments>

/** The merged result of an alert, told once on its result subject. */
export const AlertResult = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('executed'),
    alertId: AlertId,
    status: OverallStatus,
    executions: z.array(ExecutionResult),
    moments: AlertMoments,
  }),
  z.object({
    outcome: z.literal('refused'),
    alertId: AlertId,
    diagnostics: z.array(
      z.object({ code: z.string(), message: z.string(), block: z.int(), command: z.int().exactOptional() }),
    ),
    moments: AlertMoments,
  }),
])
export type AlertResult = z.infer<typeof AlertResult>
