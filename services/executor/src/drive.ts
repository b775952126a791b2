import { now } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import type { ExecutionEvent } from '@tripline/proto/event'
import { eventIdOf } from '@tripline/proto/event'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { AlertId, BotId, ExecutionId, UserId } from '@tripline/proto/id'
import {
  type BotLimits,
  type Execution,
  leavesNoTrace,
  next,
  observe,
  planned,
  type Step,
  seeksEvidence,
} from './domain/execution.ts'
import type { OrderPlan, VenueOrder } from './domain/order.ts'
import type { Venue } from './venue/venue.ts'

/** Thrown between two commands when the process stops: the successor runs the rest. */
export class InterruptedError extends Error {
  /** True where an earlier owner may have sent orders that were not looked up yet. */
  readonly isUndecided: boolean

  constructor({ notAbsentBefore }: Execution) {
    super('stopped between two commands')
    this.name = 'InterruptedError'
    this.isUndecided = notAbsentBefore !== undefined
  }
}

/** Which execution this is, as every event of it says. */
export interface Identity {
  userId: UserId
  alertId: AlertId
  executionId: ExecutionId
  botId: BotId
  label: string
  exchange: ExchangeMarket
  symbol: string
}

/** When the first order of an alert went out, and when it was acknowledged. */
export interface OrderMoments {
  firstSentAt?: number
  firstAcknowledgedAt?: number
}

/** What a run needs besides its state. */
export interface Run {
  identity: Identity
  venue: Venue
  moments: OrderMoments
  limits: () => BotLimits
  tell: (event: ExecutionEvent) => void
  /** Settles once everything told so far is stored. */
  stored: () => Promise<void>
  stopping: AbortSignal
  log: Log
}

/** Finds out what an earlier attempt did, as far as that is possible without doing anything new. */
export async function gatherEvidence(execution: Execution, run: Run): Promise<Execution> {
  return await advance(execution, run, (current, step) => seeksEvidence(current, step))
}

/** Runs the execution to its end. Throws `InterruptedError` between two commands when the process stops. */
export async function drive(execution: Execution, run: Run): Promise<Execution> {
  return await advance(execution, run, () => true)
}

async function advance(
  start: Execution,
  run: Run,
  goesOn: (execution: Execution, step: Step) => boolean,
): Promise<Execution> {
  let execution = start
  for (;;) {
    let step: Step | undefined
    try {
      step = next(execution, run.limits(), now())
      if (step.do === 'finish' || !goesOn(execution, step)) return execution
      if (run.stopping.aborted && startsSomething(execution, step)) throw new InterruptedError(execution)
      execution = await perform(execution, step, run)
    } catch (error) {
      if (error instanceof InterruptedError || execution.current.ended !== undefined) throw error
      // A fault of ours ends the command as failed: part of it may have been done, so it is not run again.
      const { executionId } = run.identity
      run.log.error({ err: error, executionId, step: step?.do }, 'command failed by a fault')
      execution = observe(execution, { of: 'fault' }, now())
    }
  }
}

/** What is in flight is settled before the end; what has not begun is left to the successor. */
function startsSomething({ current }: Execution, step: Step): boolean {
  const isInFlight = current.plan !== undefined && (current.doubt ?? current.found) !== undefined
  return !isInFlight && step.do !== 'settle'
}

async function perform(
  execution: Execution,
  step: Exclude<Step, { do: 'finish' }>,
  run: Run,
): Promise<Execution> {
  switch (step.do) {
    case 'wait':
      await sleepUntil(step.until)
      return execution
    case 'read':
      tellStart(execution, run)
      return observe(execution, { of: 'read', reading: await run.venue.read(execution.market.symbol) }, now())
    case 'place':
      return await place(execution, step.order, run)
    case 'lookUp':
      return await lookUp(execution, step.clientOrderId, run)
    case 'settle': {
      if (step.outcome.status !== 'skipped') tellStart(execution, run)
      const { identity, tell } = run
      const command = execution.outcomes.length
      tell({
        kind: 'command.finished',
        ...identity,
        eventId: eventIdOf(identity.executionId, command, 'finished'),
        at: now(),
        command,
        type: step.outcome.command,
        outcome: step.outcome,
      })
      const isLast = command === execution.commands.length - 1
      if (!isLast && leavesNoTrace(step.outcome)) await run.stored()
      return observe(execution, { of: 'settle', outcome: step.outcome }, now())
    }
  }
}

async function place(execution: Execution, order: OrderPlan, run: Run): Promise<Execution> {
  tellStart(execution, run)
  let sentAt = now()
  const placement = await run.venue.place(order, () => {
    sentAt = now()
    run.moments.firstSentAt ??= sentAt
    tellSent(execution, order, sentAt, run)
  })
  const answeredAt = now()
  if (placement.outcome === 'done') {
    run.moments.firstAcknowledgedAt ??= answeredAt
    tellAcknowledged(execution, placement.order, answeredAt - sentAt, run)
  }
  if (placement.outcome === 'unknown') tellUnknown(execution, placement.cause, run)
  return observe(planned(execution, order), { of: 'place', placement }, answeredAt)
}

async function lookUp(
  execution: Execution,
  clientOrderId: OrderPlan['clientOrderId'],
  run: Run,
): Promise<Execution> {
  const askedAt = now()
  const found = await run.venue.lookUp({
    symbol: execution.market.symbol,
    clientOrderId,
    isConditional: false,
  })
  if (found.outcome === 'found') {
    tellStart(execution, run)
    tellSent(execution, { ...found.order, clientOrderId }, askedAt, run)
    tellAcknowledged(execution, { ...found.order, clientOrderId }, now() - askedAt, run)
  }
  return observe(execution, { of: 'lookUp', lookUp: found, askedAt }, now())
}

function tellStart(execution: Execution, run: Run): void {
  run.tell({ kind: 'command.started', ...commandEvent(execution, run, 'started') })
}

function tellSent(
  execution: Execution,
  order: Pick<OrderPlan, 'clientOrderId' | 'side' | 'quantity'>,
  at: number,
  run: Run,
): void {
  const { clientOrderId, side, quantity } = order
  run.tell({ kind: 'order.sent', ...commandEvent(execution, run, 'sent'), at, clientOrderId, side, quantity })
}

function tellAcknowledged(execution: Execution, order: VenueOrder, roundTripMs: number, run: Run): void {
  const { side, quantity, filled, averagePrice, venueOrderId } = order
  run.tell({
    kind: 'order.acknowledged',
    ...commandEvent(execution, run, 'acknowledged'),
    clientOrderId: order.clientOrderId as OrderPlan['clientOrderId'],
    side,
    quantity,
    filled,
    averagePrice,
    venueOrderId,
    roundTripMs,
  })
}

function tellUnknown(execution: Execution, cause: string, run: Run): void {
  run.tell({ kind: 'command.unknown', ...commandEvent(execution, run, 'unknown'), cause })
}

function commandEvent(
  execution: Execution,
  { identity }: Run,
  phase: string,
): Identity & { eventId: string; at: number; command: number; type: string } {
  const command = execution.outcomes.length
  const type = execution.commands[command]?.type ?? ''
  return { ...identity, eventId: eventIdOf(identity.executionId, command, phase), at: now(), command, type }
}

async function sleepUntil(until: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - now())))
}
