import { type ExecutionEvent, eventIdOf } from '../event.ts'
import { AlertId, BotId, executionIdOf, UserId } from '../id.ts'

const alertId = AlertId.parse('01KAJ000000000000000000000')

/** Returns the event that a command of this alert was started. */
export function started(command: number, { block = 0, label = 'MyBot' } = {}): ExecutionEvent {
  const executionId = executionIdOf(alertId, block)
  return {
    kind: 'command.started',
    eventId: eventIdOf(executionId, command, 'started'),
    at: 1,
    userId: UserId.parse('0193f5a0-0000-7000-8000-000000000001'),
    alertId,
    executionId,
    botId: BotId.parse(`0193f5a0-0000-7000-8000-0000000000b${block}`),
    label,
    exchange: 'paper_futures',
    symbol: 'BTCUSDT',
    command,
    type: 'market',
  }
}
