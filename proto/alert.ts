import { z } from 'zod'
import { Block } from './alert-tree.ts'
import { CommandResult } from './command-result.ts'
import { AlertId, BotId, ExecutionId, UserId } from './id.ts'

/** A moment on the wall clock in ms since the epoch, with fractions, comparable across processes of one machine. */
export const Moment = z.number()

/** One block of an alert, matched to the bot it names. */
export const AlertBlock = Block.extend({ botId: BotId })
export type AlertBlock = z.infer<typeof AlertBlock>

/** One webhook message on its way to the executor. */
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
export type AlertMessage = z.infer<typeof AlertMessage> & {
  /** It came at the close-only address of its bot: it may only reduce. */
  isCloseOnly?: true
}

/** The id of no bot: `z.uuid()` takes it, and no bot is given it. */
const noBot = '00000000-0000-0000-0000-000000000000' as BotId

/**
 * An alert as it lies in the `ALERTS` stream. One of a close-only address names its bot beside its blocks: an executor of
 * a version that does not know such addresses finds no bot in the blocks and refuses the alert, in place of running it
 * as one that may open positions.
 */
export const StoredAlert = AlertMessage.extend({ closeOnlyBotId: BotId.exactOptional() }).transform(
  ({ closeOnlyBotId, ...alert }): AlertMessage => {
    if (closeOnlyBotId === undefined) return alert
    const blocks = alert.blocks.map((block) => ({ ...block, botId: closeOnlyBotId }))
    return { ...alert, blocks, isCloseOnly: true }
  },
)

/** Returns the alert as it is to lie in the `ALERTS` stream. */
export function storedAlertOf({ isCloseOnly, ...alert }: AlertMessage): z.input<typeof StoredAlert> {
  const [first] = alert.blocks
  if (isCloseOnly !== true || first === undefined) return alert
  const blocks = alert.blocks.map((block) => ({ ...block, botId: noBot }))
  return { ...alert, blocks, closeOnlyBotId: first.botId }
}

/** The end of an execution, or of a whole alert. */
export const OverallStatus = z.enum(['success', 'partial', 'failed'])
export type OverallStatus = z.infer<typeof OverallStatus>

type Part = Pick<CommandResult, 'status'> & Partial<Pick<CommandResult, 'result' | 'errorCode'>>

/** `success` when every command succeeded, `failed` when none did anything, `partial` otherwise. */
export function overallStatus(commands: readonly Part[]): OverallStatus {
  if (commands.every(({ status }) => status === 'success')) return 'success'
  return commands.some((command) => command.status === 'success' || standsInPart(command))
    ? 'partial'
    : 'failed'
}

/** True for a group of which some orders stand and another could not be placed. */
export function standsInPart({ errorCode, result = null }: Part): boolean {
  return errorCode === 'E604' && result !== null && !('undone' in result)
}

/** The outcome of one block. */
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

/** The merged result of an alert, published once on its result subject. */
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
