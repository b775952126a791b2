import { now } from '@tripline/kit/time/clock'
import type { AlertBlock, ExecutionResult } from '@tripline/proto/alert'
import { reducing } from '../domain/account/close-only.ts'
import type { BotLimits } from '../domain/account/permit.ts'
import { overtaken, startExecution } from '../domain/execution/execution.ts'
import { placementsIn } from '../domain/execution/flight.ts'
import { exitKindOf, isAccountWide } from '../domain/execution/lane-use.ts'
import type { Execution, Observation } from '../domain/execution/state.ts'
import type { Market } from '../domain/order/market.ts'
import type { Identity } from '../domain/order/order-events.ts'
import { lacksReference } from '../domain/order/reference.ts'
import type { Entrant } from '../lanes/lanes.ts'
import type { BotClient } from '../venue/pool.ts'
import type { AlertRun } from './alert-run.ts'
import { drive, gatherEvidence, type Run } from './drive.ts'
import { emitFinished, emitReceived, identityOf } from './execution-events.ts'
import { outcomesBefore } from './prior-attempt.ts'
import { enterPriorLane, type PriorTurn } from './prior-lane.ts'
import type { RunMeter } from './run-meter.ts'
import { sleepOn } from './sleep-on.ts'

/** When the first order of an alert went out, and when it was acknowledged. */
export interface OrderMoments {
  firstSentAt?: number
  firstAcknowledgedAt?: number
}

/** A block of an alert, and where it runs. */
interface OwnBlock {
  block: AlertBlock
  index: number
  client: BotClient
  market: Market
  /** Its turn in a lane that a former owner ran in order; undefined where the order says nothing of it. */
  turn: PriorTurn | undefined
  isUnjudged: boolean
}

/** Runs a block that was checked, in the lane of its account and market; where it sleeps, it leaves the lane. */
export async function runBlock(
  alertRun: AlertRun,
  index: number,
  moments: OrderMoments,
  isUnjudged: boolean,
): Promise<ExecutionResult> {
  const { alert, lanes, priorAttempt, waits } = alertRun
  const own = { ...placeOf(alertRun, index), isUnjudged }
  const { block, client, market, turn } = own
  const identity = identityOf(alert, block, index, client.market)
  const meter = alertRun.meters(identity)
  const run = openRun(alertRun, own, identity, noting(meter, moments, client.venue))
  const { executionId } = identity
  emitReceived(alert, block, run)
  const start = startOf(alertRun, own)
  const passing = createPassing(run)
  const gather = async (): Promise<Execution> => await gatherEvidence(start, passing.run)
  const unbegun = (): Execution => startOf({ ...alertRun, priorAttempt: unopened(priorAttempt) }, own)
  // Evidence is gathered before the turn comes, so that a backlog is proven all at once and not one by one.
  const evidence = priorAttempt && (turn === undefined ? gather() : turn.evidence(start, gather, unbegun))
  evidence?.catch(() => undefined)
  const entrant = {
    ...entrantOf(block, client.accountKey, market),
    name: executionId,
    breakOrder: run.breakOrder,
  }
  let execution: Execution | undefined
  // A wait that an earlier owner began is counted, and never refused.
  if (start.current.sleep !== undefined) waits.hold(executionId)
  try {
    do {
      const from = execution === undefined ? (evidence ?? start) : await sleepOn(execution, run)
      const isFirstTurn = execution === undefined
      const isUnsent = (execution ?? start).notAbsentBefore === undefined
      execution = await lanes.enter(
        { ...entrant, isUnsent },
        async ({ letExitsPass, isOvertaken, isOver }) => {
          const wasOvertaken = isFirstTurn && priorAttempt?.overtaken.has(executionId) === true
          const isBehind = (): boolean => wasOvertaken || isOvertaken()
          const limits = (): BotLimits => ({ ...run.limits(), isOvertaken: isBehind() })
          passing.begin(letExitsPass)
          const found = await from
          const begun = isFirstTurn && turn?.isUnbegun(found) === true ? unbegun() : found
          const ended = await drive(isOver ? overtaken(begun) : begun, { ...run, limits, letExitsPass })
          turn?.noteEnd(ended)
          if (isBehind()) alertRun.forgetOvertaken(executionId)
          return ended
        },
      )
    } while (execution.outcomes.length < execution.commands.length)
  } finally {
    waits.release(executionId)
    meter.left()
  }
  return emitFinished(execution.outcomes, alert.receivedAt, run)
}

/** The block as the address of its alert lets it run, and its place. */
function placeOf(
  { alert, targets, priorAttempt }: AlertRun,
  index: number,
): Pick<OwnBlock, 'block' | 'index' | 'client' | 'market' | 'turn'> {
  const written = alert.blocks[index]
  const client = targets[index]?.client
  const market = written && client?.venue.market(written.symbol)
  if (written === undefined || client === undefined || market === undefined)
    throw new Error('the block was not checked')
  const commands = alert.isCloseOnly && written.commands.map((command) => reducing(command, market))
  const block = commands ? { ...written, commands } : written
  return { block, index, client, market, turn: enterPriorLane(priorAttempt?.begun, alert.userId, block) }
}

/** Notes what depends on observations besides the execution. */
function noting(meter: RunMeter, moments: OrderMoments, { quotes }: BotClient['venue']): Run['note'] {
  return (before, observation, after, at) => {
    meter.note(before, observation, after, at)
    noteMoments(moments, observation, at)
    if (observation.of !== 'sent') return
    for (const decision of observation.decisions)
      if (lacksReference(decision)) quotes?.look(decision.plan.symbol)
  }
}

function noteMoments(moments: OrderMoments, observation: Observation, at: number): void {
  if (observation.of === 'sent') moments.firstSentAt ??= observation.sentAt
  const isPlaced = observation.of === 'place' || observation.of === 'placeOco'
  if (isPlaced && placementsIn(observation).some(({ outcome }) => outcome === 'done'))
    moments.firstAcknowledgedAt ??= at
}

type LetExitsPass = Run['letExitsPass']

/** The run before its turn: that exits may pass counts once the turn has come, while it still looks for evidence. */
function createPassing(run: Run): { run: Run; begin: (letExitsPass: LetExitsPass) => void } {
  let last: Parameters<LetExitsPass> | undefined
  let pass: LetExitsPass | undefined
  return {
    run: {
      ...run,
      letExitsPass: (...kinds) => {
        last = kinds
        pass?.(...kinds)
      },
    },
    begin: (letExitsPass) => {
      pass = letExitsPass
      if (last !== undefined) letExitsPass(...last)
    },
  }
}

/** An earlier attempt that did not begin this block. */
function unopened(priorAttempt: AlertRun['priorAttempt']): AlertRun['priorAttempt'] {
  return priorAttempt && { ...priorAttempt, notAbsentBefore: undefined }
}

function startOf(
  { alert, priorAttempt, durableAt, takenAt }: AlertRun,
  { block, index, client, market, isUnjudged }: OwnBlock,
): Execution {
  const { alertId, receivedAt } = alert
  const stored = priorAttempt?.progress[index]
  const outcomes = priorAttempt === undefined ? [] : outcomesBefore(priorAttempt, alertId, index)
  const about = {
    ...{ alertId, block: index, commands: block.commands, market, absence: client.absence },
    dueAt: receivedAt,
    notAbsentBefore: priorAttempt?.notAbsentBefore,
    isRestored: priorAttempt?.isRestored === true,
    isCloseOnly: alert.isCloseOnly === true,
    isUnjudged,
    flight: { receivedAt, durableAt, pickedUpAt: takenAt },
  }
  const isAsleep = stored !== undefined && stored.outcomes.length === outcomes.length
  return startExecution(about, outcomes, now(), isAsleep ? stored : undefined)
}

function entrantOf({ commands }: AlertBlock, account: string, market: Market): Entrant {
  return {
    account,
    market: market.symbol,
    isAlone: commands.some(isAccountWide),
    exit: exitKindOf(commands, market),
  }
}

function openRun(
  alertRun: AlertRun,
  { block, client }: OwnBlock,
  identity: Identity,
  note: Run['note'],
): Run {
  const { alert, events, watching, limitsOf } = alertRun
  const { records, progress, entries, waits, tenure, breakOrder, stopping, log } = alertRun
  const { userId, botId, symbol } = identity
  return {
    ...{ records, progress, entries, waits, tenure, breakOrder, stopping, log },
    ...{ identity, note, venue: client.venue },
    watches: watching.at({ userId, botId, symbol, accountKey: client.accountKey }),
    isCloseOnly: alert.isCloseOnly === true,
    letExitsPass: () => undefined,
    limits: () => limitsOf(block),
    emit: events.emit,
    stored: events.stored,
  }
}
