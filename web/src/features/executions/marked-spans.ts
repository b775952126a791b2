import type { ExecutionView } from '@tripline/proto/http/execution'
import type { KnownBot } from '@tripline/proto/language/label'
import { readMessage } from '@tripline/proto/language/read-message'
import { commandSpan } from '../../shared/message-spans.ts'

/** Returns the spans of the message that failed: those of the error that refused it, else the failed commands. */
export function markedSpans(execution: ExecutionView, bots: readonly KnownBot[]) {
  const { webhook_payload, error_code, commands_executed, id } = execution
  const { message } = webhook_payload
  if (error_code !== null && commands_executed.length === 0) {
    const { diagnostics } = readMessage(message, bots)
    return diagnostics.filter(({ code }) => code === error_code).map(({ span }) => span)
  }
  const block = Number(/-(\d+)$/.exec(id)?.[1] ?? 0)
  return commands_executed.flatMap(({ status }, index) => {
    const span = status === 'failed' ? commandSpan(message, block, index) : undefined
    return span ? [span] : []
  })
}
