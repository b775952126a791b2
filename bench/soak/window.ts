import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, lastSequence } from '@tripline/kit/bus/bus'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { AlertMessage } from '@tripline/proto/alert'
import { storedEvents } from '@tripline/testkit/stored-events'
import { waitUntil } from '@tripline/testkit/wait-until'
import { takeJournal } from '../alert-to-order/paper.ts'
import type { Vitals } from '../vitals/vitals.ts'
import { type Sent, violationsOf, type Window } from './check-window.ts'
import type { Random } from './random.ts'
import { sendOnAndOn } from './senders.ts'
import type { Stage } from './stage.ts'
import { makeTrouble } from './troubles.ts'

/** The findings of a window. */
export interface Outcome {
  alerts: number
  orders: number
  /** The number of failed executions, by error code. */
  failures: Map<string, number>
  troubles: Map<string, number>
  violations: string[]
  vitals: Map<string, Vitals>
}

/** One for each, so that the troubles of a seed are the same whatever the alerts do. */
export interface Chances {
  troubles: Random
  alerts: Random
}

const troubleMs = 40_000
/** An order of which nothing can be found out is given up after a minute. */
const drainMs = 150_000

/** Lets alerts flow through trouble for most of a minute, waits until all is done, and examines the results. */
export async function runWindow(stage: Stage, random: Chances): Promise<Outcome> {
  const { product, ops } = stage
  const sequence = (await lastSequence(ops, 'EVENTS')) + 1
  const sent: Sent[] = []
  const troubles = await flow(stage, random, sent)
  const late = await drain(ops)
  const accepted = (await takeJournal(product.urls.paper)).flatMap(({ op, outcome, clientOrderId }) =>
    op === 'place' && outcome === 'accepted' ? [clientOrderId ?? ''] : [],
  )
  const ends = await endsSince(ops, sequence)
  const failures = new Map<string, number>()
  for (const { status, code = status } of ends) {
    if (status !== 'success') failures.set(code, (failures.get(code) ?? 0) + 1)
  }
  return {
    alerts: sent.length,
    orders: accepted.length,
    failures,
    troubles,
    violations: [...late, ...violationsOf({ sent, accepted, ends })],
    vitals: await stage.examine(),
  }
}

async function flow(stage: Stage, random: Chances, sent: Sent[]): Promise<Map<string, number>> {
  const calm = AbortSignal.timeout(troubleMs)
  const ending = new AbortController()
  const { product, traders } = stage
  const sending = sendOnAndOn(product.urls.intake, traders, random.alerts, { sent, stopping: ending.signal })
  const trouble = makeTrouble(stage, random.troubles, calm).finally(() => ending.abort())
  const [troubles] = await Promise.all([trouble, sending])
  return troubles
}

/** Waits until every alert has come to its end; what is left over is a violation. */
async function drain(ops: Bus): Promise<string[]> {
  const left = async (): Promise<number> => (await ops.manager.streams.info('ALERTS')).state.messages
  try {
    await waitUntil(async () => (await left()) === 0, { deadlineMs: drainMs, intervalMs: 100 })
    return []
  } catch {
    return await leftOver(ops)
  } finally {
    // Work may trail behind an alert's end, such as its listeners' answers and closing connections.
    await sleep(1000)
  }
}

async function leftOver(ops: Bus): Promise<string[]> {
  const start = { from: 'sequence', sequence: 1 } as const
  const messages = await readStored(ops, { stream: 'ALERTS', filter: 'alert.>', start })
  return messages.map(
    ({ text }) => `alert ${AlertMessage.parse(JSON.parse(text)).alertId} is still in its stream`,
  )
}

async function endsSince(ops: Bus, sequence: number): Promise<Window['ends']> {
  const events = await storedEvents(ops, { from: sequence })
  const codes = new Map<string, string>()
  for (const event of events.toReversed()) {
    const code = event.kind === 'command.finished' ? event.outcome.errorCode : undefined
    if (event.kind === 'command.finished' && code) codes.set(event.executionId, code)
  }
  return events.flatMap((event) =>
    event.kind === 'execution.finished'
      ? [{ executionId: event.executionId, status: event.status, code: codes.get(event.executionId) }]
      : [],
  )
}
