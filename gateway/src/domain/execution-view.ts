import type { Execution } from '@tripline/proto/history-request'
import type { ExecutedCommand, ExecutionView } from '@tripline/proto/http/execution'

/** Returns an execution in the form of HTTP. */
export function executionView(execution: Execution): ExecutionView {
  const symbol = execution.symbol ?? ''
  return {
    id: execution.id,
    alert_id: execution.alertId,
    created_at: execution.createdAt,
    api_key_label: execution.label,
    exchange: execution.exchange,
    symbol: execution.symbol,
    overall_status: execution.status,
    error_code: execution.errorCode,
    error_message: execution.error,
    total_ms: execution.totalMs,
    close_only: execution.isCloseOnly,
    webhook_payload: { message: execution.message },
    commands_executed: execution.commands.map((command) => commandView(command, symbol)),
  }
}

function commandView(command: Execution['commands'][number], symbol: string): ExecutedCommand {
  return {
    type: command.type,
    symbol,
    params: command.params,
    status: command.status,
    execution_time_ms: command.executionTimeMs,
    error_code: command.errorCode,
    error_message: command.error,
    result: command.result,
  }
}
