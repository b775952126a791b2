import { now } from '@tripline/kit/time/clock'
import {
  type AlertBlock,
  type AlertMessage,
  type ExecutionResult,
  overallStatus,
} from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import { elapsedMs } from '@tripline/proto/elapsed'
import { eventIdOf } from '@tripline/proto/event'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import { executionIdOf } from '@tripline/proto/id'
import { paramsOf } from '../domain/execution/params.ts'
import type { Identity } from '../domain/order/order-events.ts'
import type { EventLog } from '../store/event-log.ts'

/** Which execution a block is, on the market where its bot trades. */
export function identityOf(
  { userId, alertId }: AlertMessage,
  { botId, label, symbol }: AlertBlock,
  index: number,
  exchange: ExchangeMarket,
): Identity {
  return { userId, alertId, executionId: executionIdOf(alertId, index), botId, label, exchange, symbol }
}

/** An execution, and where its events go. */
interface ExecutionEmitter {
  identity: Identity
  emit: EventLog['emit']
}

/** Emits that a block is taken up, unless that is known. */
export function emitReceived(
  alert: AlertMessage,
  block: AlertBlock,
  { identity, emit }: ExecutionEmitter,
): void {
  emit({
    kind: 'execution.received',
    ...identity,
    eventId: eventIdOf(identity.executionId, '-', 'received'),
    at: now(),
    message: alert.message,
    ...(alert.body !== undefined && { body: alert.body }),
    ...(alert.isCloseOnly && { isCloseOnly: true }),
    receivedAt: alert.receivedAt,
    commands: block.commands.map((command) => ({
      type: command.type,
      params: paramsOf(command, alert.message),
    })),
  })
}

/** The log of an alert's events, which has the message with the first block that is reported, and with no other. */
export function withMessageOnce(events: EventLog): EventLog {
  let hasMessage = false
  return {
    ...events,
    emit: (event) => {
      if (event.kind !== 'execution.received') return events.emit(event)
      const { body: _emitted, ...others } = event
      events.emit(hasMessage ? { ...others, message: '' } : event)
      hasMessage = true
    },
  }
}

/** Emits that a block has come to its end. Returns its part of the result. */
export function emitFinished(
  outcomes: readonly CommandResult[],
  receivedAt: number,
  { identity, emit }: ExecutionEmitter,
): ExecutionResult {
  const result = resultOf(identity, outcomes)
  const { executionId, status } = result
  const at = now()
  const eventId = eventIdOf(executionId, '-', 'finished')
  emit({ kind: 'execution.finished', ...identity, eventId, at, status, totalMs: elapsedMs(receivedAt, at) })
  return result
}

/** Returns the part of a block in the result. */
export function resultOf(
  { executionId, label, symbol }: Pick<Identity, 'executionId' | 'label' | 'symbol'>,
  outcomes: readonly CommandResult[],
): ExecutionResult {
  return { executionId, label, symbol, status: overallStatus(outcomes), commands: [...outcomes] }
}
