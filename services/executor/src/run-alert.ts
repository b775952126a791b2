import { now } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import {
  type AlertBlock,
  type AlertMessage,
  type AlertResult,
  type ExecutionResult,
  overallStatus,
} from '@tripline/proto/alert'
import { elapsedMs } from '@tripline/proto/elapsed'
import { eventIdOf } from '@tripline/proto/event'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import { type AlertId, type ExecutionId, executionIdOf } from '@tripline/proto/id'
import { nearest } from '@tripline/proto/language/suggestion'
import type { BotConfig } from '@tripline/proto/user-config'
import type { CancelCommand } from './domain/cancel-orders.ts'
import { checkBlock, type Finding } from './domain/check.ts'
import { startExecution } from './domain/execution.ts'
import type { Execution } from './domain/execution-state.ts'
import { isAccountWide, onlyExits } from './domain/lane-use.ts'
import type { Market } from './domain/market.ts'
import { paramsOf } from './domain/params.ts'
import type { BotLimits } from './domain/permit.ts'
import { drive, gatherEvidence, type OrderMoments, type Run } from './drive.ts'
import { keepingOf } from './keeping.ts'
import type { Entrant, Lanes } from './lanes.ts'
import type { RunMeters } from './run-meter.ts'
import { sleepOn } from './sleep-on.ts'
import type { EventLog, StoredOutcomes } from './store/event-log.ts'
import type { LastEntries } from './store/last-entries.ts'
import type { Progress, ProgressStore } from './store/progress-store.ts'
import type { RecordStore, RecordSubject } from './store/record-store.ts'
import type { Identity } from './tell.ts'
import type { BotClient } from './venue/pool.ts'

/** What an earlier owner may have done with an alert; undefined for one that nobody took before. */
export interface Inheritance {
  /** From when on an order that is not found counts as absent; undefined when nothing can be in flight. */
  notAbsentBefore: number | undefined
  outcomes: StoredOutcomes
  /** How far the blocks had come that wait. */
  progress: Progress
}

export interface AlertRunOptions {
  alert: AlertMessage
  takenAt: number
  /** When the alert was stored, by the bus. */
  durableAt: number
  inheritance: Inheritance | undefined
  /** The bots of the alert's blocks, as they are configured, with their clients. */
  places: readonly (Place | undefined)[]
  lanes: Lanes
  events: EventLog
  records: RecordStore
  progress: ProgressStore
  entries: Pick<LastEntries, 'of' | 'note'>
  /** Counts the blocks of the alert that sleep. */
  waits: { hold: (executionId: ExecutionId) => void; release: (executionId: ExecutionId) => void }
  watching: Watching
  limitsOf: (block: AlertBlock) => BotLimits
  stopping: AbortSignal
  meters: RunMeters
  log: Log
}

/** What a cancel is about: open orders, and what of it is not at the exchange yet. */
export interface Canceled {
  clientOrderIds: readonly string[]
  command: CancelCommand
  alertId: AlertId
}

/** The watches over groups of orders that commands left behind. */
export interface Watching {
  /** Ends the watches over what a cancel of a bot's symbol is about; answers how many there were. */
  end: (place: { accountKey: string; symbol: string }, canceled: Canceled) => Promise<number>
  /** Watches over what a command left open. */
  begin: (subject: RecordSubject) => void
}

/** Where a block runs. */
export interface Place {
  bot: BotConfig
  client: BotClient
}

/**
 * Runs a whole alert: all of it is checked before any of it runs, then its blocks run side by side, each in the lane
 * of its account and market. Answers the merged result; every event of it has been told by then.
 */
export async function runAlert(options: AlertRunOptions): Promise<AlertResult> {
  const { alert, takenAt } = options
  const findings = alert.blocks.flatMap((block, index) => checkPlace(block, options.places[index], index))
  const checkedAt = now()
  if (findings.length > 0) return refuse(options, findings, checkedAt)
  const moments: OrderMoments = {}
  const executions = await allOf(
    alert.blocks.map(async (block, index) => await runBlock(options, block, index, moments)),
  )
  return {
    outcome: 'executed',
    alertId: alert.alertId,
    status: overallStatus(
      executions.flatMap(({ commands }) =>
        commands.map(({ status }) => ({ succeeded: status === 'success' })),
      ),
    ),
    executions,
    moments: { takenAt, checkedAt, ...moments, finishedAt: now() },
  }
}

/** All values, or the first error once every one of them has ended: nothing goes on unseen. */
async function allOf<Value>(promises: Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises)
  return await Promise.all(promises)
}

type BlockFinding = Finding & { block: number }

function checkPlace(block: AlertBlock, place: Place | undefined, index: number): BlockFinding[] {
  if (place === undefined) {
    const message = `${block.label} cannot trade: its market is not available, or its exchange cannot be reached`
    return [{ code: 'E404', message, block: index }]
  }
  const { venue } = place.client
  const market = venue.market(block.symbol)
  const nearestSymbol = market === undefined ? nearest(block.symbol, venue.symbols()) : undefined
  return checkBlock(block.commands, { symbol: block.symbol, market, nearestSymbol }).map((finding) => ({
    ...finding,
    block: index,
  }))
}

function refuse(
  { alert, events, places, takenAt }: AlertRunOptions,
  findings: BlockFinding[],
  checkedAt: number,
): AlertResult {
  const [first] = findings
  const block = alert.blocks[first?.block ?? 0]
  const exchange = places[first?.block ?? 0]?.client.market ?? null
  events.tell({
    kind: 'alert.refused',
    eventId: eventIdOf(alert.alertId, '-', 'refused'),
    at: now(),
    userId: alert.userId,
    alertId: alert.alertId,
    botId: block?.botId ?? null,
    label: block?.label ?? null,
    symbol: block?.symbol ?? null,
    exchange,
    message: alert.message,
    ...(alert.body !== undefined && { body: alert.body }),
    receivedAt: alert.receivedAt,
    errorCode: first?.code ?? 'E605',
    error: first?.message ?? '',
  })
  const moments = { takenAt, checkedAt, finishedAt: now() }
  return { outcome: 'refused', alertId: alert.alertId, diagnostics: findings, moments }
}

async function runBlock(
  options: AlertRunOptions,
  block: AlertBlock,
  index: number,
  moments: OrderMoments,
): Promise<ExecutionResult> {
  const { alert, lanes, places } = options
  const place = places[index]
  const market = place?.client.venue.market(block.symbol)
  if (place === undefined || market === undefined) throw new Error('the block was not checked')
  const run = openRun(options, block, index, place.client, moments)
  tellReceived(options, block, run)
  const start = startOf(options, block, index, market)
  // Evidence is gathered before the turn comes, so that a backlog is proven all at once and not one by one.
  const evidence = options.inheritance === undefined ? undefined : gatherEvidence(start, run)
  evidence?.catch(() => undefined)
  const entrant = entrantOf(block, place.client.accountKey, market)
  let execution: Execution | undefined
  // A wait that an earlier owner began is counted, and never refused.
  if (start.current.sleep !== undefined) run.waits.hold()
  try {
    do {
      const from = execution === undefined ? (evidence ?? start) : await sleepOn(execution, run)
      execution = await lanes.enter(entrant, async ({ letExitsPass }) =>
        drive(await from, { ...run, letExitsPass }),
      )
    } while (execution.outcomes.length < execution.commands.length)
  } finally {
    run.waits.release()
    run.meter.left()
  }
  return finish(execution, block, alert.receivedAt, run)
}

function startOf(
  { alert, inheritance }: AlertRunOptions,
  block: AlertBlock,
  index: number,
  market: Market,
): Execution {
  const stored = inheritance?.outcomes.get(executionIdOf(alert.alertId, index)) ?? []
  const kept = inheritance?.progress[index]
  // What was kept tells of all that came before its wait, also where an event of it was not stored any more.
  const outcomes = kept !== undefined && kept.outcomes.length > stored.length ? kept.outcomes : stored
  const about = {
    alertId: alert.alertId,
    block: index,
    commands: block.commands,
    market,
    dueAt: alert.receivedAt,
    notAbsentBefore: inheritance?.notAbsentBefore,
  }
  const isAsleep = kept !== undefined && kept.outcomes.length === outcomes.length
  return startExecution(about, outcomes, now(), isAsleep ? kept : undefined)
}

function entrantOf({ commands }: AlertBlock, account: string, market: Market): Entrant {
  return {
    account,
    market: market.symbol,
    isAlone: commands.some(isAccountWide),
    isExit: commands.every((command) => onlyExits(command, market)),
  }
}

function openRun(
  options: AlertRunOptions,
  block: AlertBlock,
  index: number,
  client: BotClient,
  moments: OrderMoments,
): Run {
  const { alert, events, limitsOf, stopping, log, watching, meters } = options
  const identity = identityOf(alert, block, index, client)
  const place = { accountKey: client.accountKey, symbol: block.symbol }
  return {
    identity,
    venue: client.venue,
    keeping: keepingOf(options, identity, index),
    endWatches: async (clientOrderIds, command) =>
      await watching.end(place, { clientOrderIds, command, alertId: alert.alertId }),
    watch: (about) => watching.begin({ ...identity, ...about }),
    waits: {
      hold: () => options.waits.hold(identity.executionId),
      release: () => options.waits.release(identity.executionId),
    },
    lastEntry: {
      read: () => options.entries.of(block.botId, block.symbol),
      note: (side) => options.entries.note(alert.userId, block.botId, block.symbol, side),
    },
    flight: { receivedAt: alert.receivedAt, durableAt: options.durableAt, pickedUpAt: options.takenAt },
    letExitsPass: () => undefined,
    moments,
    limits: () => limitsOf(block),
    tell: events.tell,
    stored: events.stored,
    stopping,
    log,
    meter: meters(identity),
  }
}

function identityOf(
  { userId, alertId }: AlertMessage,
  { botId, label, symbol }: AlertBlock,
  index: number,
  { market }: BotClient,
): Identity {
  const exchange = market satisfies ExchangeMarket
  return { userId, alertId, executionId: executionIdOf(alertId, index), botId, label, exchange, symbol }
}

function tellReceived({ alert }: AlertRunOptions, block: AlertBlock, { identity, tell }: Run): void {
  tell({
    kind: 'execution.received',
    ...identity,
    eventId: eventIdOf(identity.executionId, '-', 'received'),
    at: now(),
    message: alert.message,
    ...(alert.body !== undefined && { body: alert.body }),
    receivedAt: alert.receivedAt,
    commands: block.commands.map((command) => ({
      type: command.type,
      params: paramsOf(command, alert.message),
    })),
  })
}

function finish(
  ended: Execution,
  block: AlertBlock,
  receivedAt: number,
  { identity, tell }: Run,
): ExecutionResult {
  const status = overallStatus(ended.outcomes.map((outcome) => ({ succeeded: outcome.status === 'success' })))
  const at = now()
  const eventId = eventIdOf(identity.executionId, '-', 'finished')
  tell({ kind: 'execution.finished', ...identity, eventId, at, status, totalMs: elapsedMs(receivedAt, at) })
  const { label, symbol } = block
  return { executionId: identity.executionId, label, symbol, status, commands: [...ended.outcomes] }
}
