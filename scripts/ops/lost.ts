import { type Bus, store } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { now } from '@tripline/kit/time/clock'
import { overallStatus } from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import { elapsedMs } from '@tripline/proto/elapsed'
import { type ExecutionEvent, eventIdOf } from '@tripline/proto/event'
import { listUnfinished, type Unfinished } from '@tripline/proto/history-request'
import { eventSubject } from '@tripline/proto/subject'
import { waitUntil } from '@tripline/testkit/wait-until'
import { z } from 'zod'

const cause = 'The alert was lost with the bus while it ran; look at the exchange for its orders'
const caughtUpWithinMs = 600_000

const StoredAlert = z.object({ alertId: z.string() })

/**
 * Ends, as unknown, the executions of which no alert is there any more, so that nobody will ever end them: they were
 * under way when a back-up was taken, or later. Returns them; their users are notified as of any failure.
 */
export async function closeLost(bus: Bus): Promise<Unfinished[]> {
  const open = await readUnfinished(bus)
  const alerts = await readAlerts(bus)
  // An alert leaves the stream behind its last event: the end of an execution meanwhile is stored before this point.
  await untilTaken(bus, await lastSequence(bus, 'EVENTS'))
  const stillOpen = new Map((await readUnfinished(bus)).map((one) => [one.id, one]))
  const lost = open.flatMap(({ id, alertId }) => (alerts.has(alertId) ? [] : (stillOpen.get(id) ?? [])))
  for (const execution of lost) await publishEnd(bus, execution)
  return lost
}

async function readUnfinished(bus: Bus): Promise<Unfinished[]> {
  const all: Unfinished[] = []
  for (;;) {
    const { executions } = await sendRequest(bus, listUnfinished, { after: all.at(-1)?.id ?? '' })
    if (executions.length === 0) return all
    all.push(...executions)
  }
}

async function readAlerts(bus: Bus): Promise<Set<string>> {
  const start = { from: 'sequence', sequence: 1 } as const
  const messages = await readStored(bus, { stream: 'ALERTS', filter: 'alert.*.*', start })
  return new Set(messages.map(({ text }) => StoredAlert.parse(JSON.parse(text)).alertId))
}

/** Settles once history has taken all events up to this one. */
async function untilTaken(bus: Bus, sequence: number): Promise<void> {
  const hasTaken = async (): Promise<boolean> => {
    const { ack_floor } = await bus.manager.consumers.info('EVENTS', 'to-history')
    return ack_floor.stream_seq >= sequence
  }
  await waitUntil(hasTaken, { deadlineMs: caughtUpWithinMs, intervalMs: 100, awaited: 'history to catch up' })
}

async function publishEnd(bus: Bus, execution: Unfinished): Promise<void> {
  const { id: executionId, commands, receivedAt, ...about } = execution
  const { alertId, userId, botId, label, exchange, symbol } = about
  const at = now()
  const identity = { userId, alertId, executionId, botId, label, exchange, symbol, at }
  const events: ExecutionEvent[] = commands.flatMap(({ type, status }, command) => {
    if (!isOpen(status)) return []
    const eventId = eventIdOf(executionId, command, 'finished')
    return [{ kind: 'command.finished', eventId, ...identity, command, type, outcome: outcomeOf(type) }]
  })
  const status = overallStatus(commands.map(({ status }) => ({ status: status ?? 'running' })))
  const eventId = eventIdOf(executionId, '-', 'finished')
  events.push({
    kind: 'execution.finished',
    eventId,
    ...identity,
    status,
    totalMs: elapsedMs(receivedAt, at),
  })
  for (const event of events) {
    const options = { messageId: event.eventId, attemptMs: 2000, deadlineMs: 30_000 }
    await store(bus, eventSubject(userId, botId), JSON.stringify(event), options)
  }
}

function isOpen(status: Unfinished['commands'][number]['status']): boolean {
  return status === null || status === 'running' || status === 'unknown'
}

function outcomeOf(command: string): CommandResult {
  return { command, status: 'failed', result: null, errorCode: 'E602', error: cause, executionTimeMs: 0 }
}
