import type { ExecutionView } from '@tripline/proto/http/execution'

/** An execution that succeeded and did nothing, with what differs; for tests. */
export function sampleExecution(differing: Partial<ExecutionView> = {}): ExecutionView {
  return {
    id: 'a-0',
    alert_id: 'a',
    created_at: '2026-11-21T12:00:00.000Z',
    api_key_label: 'MyBot',
    exchange: 'paper_futures',
    symbol: 'BTCUSDT',
    overall_status: 'success',
    close_only: false,
    error_code: null,
    error_message: null,
    total_ms: 1,
    webhook_payload: { message: '' },
    commands_executed: [],
    ...differing,
  }
}

type CommandView = ExecutionView['commands_executed'][number]

/** A market order that succeeded, with what differs; for tests. */
export function sampleCommand(differing: Partial<CommandView> = {}): CommandView {
  return {
    type: 'market',
    symbol: 'BTCUSDT',
    params: {},
    status: 'success',
    execution_time_ms: 1,
    error_code: null,
    error_message: null,
    result: null,
    ...differing,
  }
}
