import type { ExecutedCommand, ExecutionView } from '@tripline/proto/http/execution'

const columns = [
  'id',
  'alert_id',
  'created_at',
  'api_key_label',
  'exchange',
  'symbol',
  'overall_status',
  'error_code',
  'error_message',
  'total_ms',
  'message',
  'command',
  'command_type',
  'command_params',
  'command_status',
  'command_time_ms',
  'command_error_code',
  'command_error_message',
  'command_result',
  'close_only',
]

// Characters that programs for tables take for the beginning of a formula, also behind spaces and in full width.
const formula = /^\s*[=+\-@＝＋－＠|%]|^[\t\r\n]/u

/** The names of the columns, as the first line. */
export const csvHead = lineOf(columns)

/** An execution as lines of a table, one for each command and one in any case. */
export function csvLines(execution: ExecutionView): string {
  const { commands_executed: commands } = execution
  if (commands.length === 0) return lineOf(cellsOf(execution))
  return commands.map((command, index) => lineOf(cellsOf(execution, command, index))).join('')
}

function cellsOf(execution: ExecutionView, command?: ExecutedCommand, index?: number) {
  return [
    execution.id,
    execution.alert_id,
    execution.created_at,
    execution.api_key_label,
    execution.exchange,
    execution.symbol,
    execution.overall_status,
    execution.error_code,
    execution.error_message,
    execution.total_ms,
    execution.webhook_payload.message,
    index,
    command?.type,
    jsonOf(command?.params),
    command?.status,
    command?.execution_time_ms,
    command?.error_code,
    command?.error_message,
    jsonOf(command?.result),
    String(execution.close_only),
  ]
}

function jsonOf(value: object | null | undefined): string {
  return value ? JSON.stringify(value) : ''
}

function lineOf(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

/** A text that a program for tables shows and never runs. */
function cellOf(cell: string | number | null | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const text = formula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) || text !== cell ? `"${text.replaceAll('"', '""')}"` : text
}
