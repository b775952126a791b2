import type { Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import {
  type AlertBlock,
  type AlertMessage,
  type AlertMoments,
  type AlertResult,
  type ExecutionResult,
  overallStatus,
} from '@tripline/proto/alert'
import { refusedTexts } from '@tripline/proto/cut-text'
import { eventIdOf } from '@tripline/proto/event'
import { type ExchangeMarket, exchangeMarketOf } from '@tripline/proto/exchange'
import { type AlertId, type ExecutionId, executionIdOf, type UserId } from '@tripline/proto/id'
import type { BotConfig } from '@tripline/proto/user-config'
import { reducing } from '../domain/account/close-only.ts'
import type { BotLimits } from '../domain/account/permit.ts'
import { mayHaveGoneOn, staysInLane } from '../domain/execution/begun-order.ts'
import type { CancelCommand } from '../domain/execution/cancel-orders.ts'
import { overtaken, startExecution } from '../domain/execution/execution.ts'
import { exitKindOf, isAccountWide } from '../domain/execution/lane-use.ts'
import type { EndedWatches, Execution } from '../domain/execution/state.ts'
import type { OwnExit, ReturnedExit, StandingAgain } from '../domain/group/own-exits.ts'
import type { AbsenceRule } from '../domain/order/absence.ts'
import type { Market } from '../domain/order/market.ts'
import { nearestSymbol } from '../domain/order/nearest-symbol.ts'
import { checkBlock, type Finding } from '../domain/preview/check.ts'
import type { Tenure } from '../domain/sharing/lease.ts'
import type { Entrant, Lanes } from '../lanes/lanes.ts'
import type { EntryStore } from '../store/entry-store.ts'
import type { EventLog } from '../store/event-log.ts'
import type { ProgressStore } from '../store/progress-store.ts'
import type { RecordSubject } from '../store/record-store.ts'
import type { BotClient } from '../venue/pool.ts'
import { type ProtectedPosition, protectedPositionOf } from '../watching/bare-positions.ts'
import { keyOf } from '../watching/key.ts'
import type { SaleSubject } from '../watching/taken-back.ts'
import { abandonBlock } from './abandon-block.ts'
import { type CommandRecords, commandStoreOf } from './command-store.ts'
import { drive, gatherEvidence, type OrderMoments, type Run } from './drive.ts'
import type { About } from './emit.ts'
import type { Exit } from './end-closed.ts'
import { emitFinished, emitReceived, identityOf, withMessageOnce } from './execution-events.ts'
import { type Foresight, foreseeAlert } from './foresee-alert.ts'
import {
  isTold,
  mayHaveBegun,
  newLane,
  outcomesBefore,
  type PriorAttempt,
  type PriorLane,
  refusalBefore,
} from './prior-attempt.ts'
import type { RunMeters } from './run-meter.ts'
import { sleepOn } from './sleep-on.ts'

export interface AlertRunOptions {
  alert: AlertMessage
  takenAt: number
  /** When the alert was stored, by the bus. */
  durableAt: number
  priorAttempt: PriorAttempt | undefined
  /** The bots of the alert's blocks, as they are configured, with their clients. */
  targets: readonly (BlockTarget | undefined)[]
  lanes: Lanes
  events: EventLog
  records: CommandRecords
  progress: ProgressStore
  entries: Pick<EntryStore, 'read' | 'readNow' | 'note'>
  /** Counts the blocks of the alert that sleep. */
  waits: { hold: (executionId: ExecutionId) => void; release: (executionId: ExecutionId) => void }
  watching: Watching
  /** Since when the user's partition is surely ours; undefined while it is not. */
  tenure: () => Tenure | undefined
  limitsOf: (block: AlertBlock) => BotLimits
  /** Called at once where a part of the alert ends without entering its lane: what comes behind it waits for this. */
  onLeftOut: (stored: Promise<void>) => void
  breakOrder: (overtaken?: readonly string[]) => Promise<void>
  forgetOvertaken: (executionId: ExecutionId) => void
  stopping: AbortSignal
  meters: RunMeters
  log: Log
}

/** Subject of a cancel: open orders, and those that are not at the exchange yet. */
export interface Canceled {
  clientOrderIds: readonly string[]
  command: CancelCommand
  alertId: AlertId
  /** The alert may only close: groups that may protect stay. */
  isCloseOnly: boolean
}

/** A market of an account, in which orders are watched. */
export interface WatchedMarket {
  userId: UserId
  accountKey: string
  symbol: string
}

/** The watches over groups of orders that commands left behind. */
export interface Watching {
  /** Ends the watches over what a cancel of a bot's symbol is about. */
  end: (market: WatchedMarket, canceled: Canceled) => Promise<EndedWatches>
  /**
   * Watched orders of the market that can only make a position smaller; with those about to be, or as known without
   * waiting.
   */
  exitsAt: (market: WatchedMarket, areComingToo: boolean) => Promise<readonly Exit[]>
  /** Watches over what a command left open, once what is to come before that has. */
  begin: (subject: RecordSubject, after?: Promise<void>) => void
  /** The bot's own orders of a symbol that sell what it holds. */
  ownExits: (sale: SaleSubject) => Promise<readonly OwnExit[]>
  /** Takes these back for a sale; returns how own exits stand then. */
  takeBack: (sale: SaleSubject, by: string, exits: readonly string[]) => Promise<readonly OwnExit[]>
  /** Notes that this sale may be sent from now on. */
  beginSale: (sale: SaleSubject, by: string, exits: readonly string[]) => Promise<readonly OwnExit[]>
  /** Lets these stand again, as far as their coins are not sold; returns how they stand then. */
  giveBack: (
    sale: SaleSubject,
    by: string,
    exits: readonly ReturnedExit[],
  ) => Promise<readonly StandingAgain[]>
  /** Looks after a position whose stop was ordered and is not at the exchange. */
  leaveBare: (position: ProtectedPosition) => void
}

/** Target of a block; without a client nothing can be done there now. */
export interface BlockTarget {
  bot: BotConfig
  client: BotClient | undefined
  /** Why no order can be signed with the bot's credentials, and what to do; undefined where none is known of. */
  problem?: string | undefined
}

/**
 * Runs a whole alert: all of it is checked before any of it runs, then its blocks run side by side, each in the lane
 * of its account and market. Of one that an earlier owner began, what cannot go on is ended, and the rest goes on.
 * Answers the merged result; every event of it has been told by then.
 */
export async function runAlert(given: AlertRunOptions): Promise<AlertResult> {
  const { alert, takenAt, priorAttempt } = given
  noteAgain(given)
  const refusal = refusalBefore(priorAttempt, alert)
  if (refusal !== undefined) return refused(given, [refusal])
  const checked = alert.blocks.flatMap((block, index) =>
    checkTarget(alert, block, given.targets[index], index),
  )
  const { findings, unjudged } = checked.length > 0 ? { ...unforeseen, findings: checked } : foresee(given)
  const options = { ...given, events: withMessageOnce(given.events), unjudged }
  const checkedAt = now()
  if (findings.length > 0 && !isBegun(options)) return refuse(options, findings, checkedAt)
  const moments: OrderMoments = {}
  const running = alert.blocks.map(
    async (block, index) =>
      abandon(options, block, index, findings) ?? (await runBlock(options, block, index, moments)),
  )
  if (findings.length > 0) options.onLeftOut(options.events.stored())
  const executions = await allOf(running)
  return executed(options, executions, { takenAt, checkedAt, ...moments, finishedAt: now() })
}

/** Counts what an earlier owner's commands meant for entries: it may have died before that was stored. */
function noteAgain({ alert: { alertId, userId, blocks }, priorAttempt, entries }: AlertRunOptions): void {
  for (const [index, { botId, symbol }] of blocks.entries()) {
    const executionId = executionIdOf(alertId, index)
    const { entryNotes = [] } = priorAttempt?.priorEvents.executions.get(executionId) ?? {}
    for (const { command, note } of entryNotes)
      entries.note({ userId, botId, symbol }, { executionId, command }, note)
  }
}

const unforeseen: Foresight = { findings: [], unjudged: new Set() }

/** Returns findings before an alert runs; none on what an earlier owner may have begun, or that only exits. */
function foresee({ alert, priorAttempt, targets, lanes, entries }: AlertRunOptions): Foresight {
  if (priorAttempt !== undefined || alert.isCloseOnly === true) return unforeseen
  return foreseeAlert({ alert, clients: targets.map((target) => target?.client), lanes, entries })
}

/** True for an alert of which a part may have been done already, and can be told of. */
function isBegun(options: AlertRunOptions): boolean {
  const { alert, priorAttempt, targets } = options
  if (priorAttempt === undefined || !mayHaveBegun(priorAttempt, alert)) return false
  // Findings where every bot has its client would have been made before anything was begun.
  if (targets.every((target) => target?.client !== undefined) && !isTold(priorAttempt, alert)) return false
  return alert.blocks.some((_block, index) => exchangeOf(options, index) !== undefined)
}

/** Returns a block's exchange, by its bot or by earlier events. */
function exchangeOf(
  { alert, priorAttempt, targets }: AlertRunOptions,
  index: number,
): ExchangeMarket | undefined {
  const bot = targets[index]?.bot
  if (bot !== undefined) return exchangeMarketOf(bot.exchange, bot.marketType)
  return priorAttempt?.priorEvents.executions.get(executionIdOf(alert.alertId, index))?.exchange
}

/** Returns the result of a block with a finding of the check; undefined where it runs. */
function abandon(
  options: AlertRunOptions,
  block: AlertBlock,
  index: number,
  findings: readonly BlockFinding[],
): ExecutionResult | undefined {
  const { alert, priorAttempt, targets, events } = options
  const finding = findings.find((each) => each.block === index)
  if (finding === undefined || priorAttempt === undefined) return undefined
  const isUnlinked = targets[index]?.bot === undefined
  const reason = isUnlinked
    ? { code: 'E516', error: 'The bot was deleted' }
    : { code: finding.code, error: finding.message }
  const exchange = exchangeOf(options, index)
  return abandonBlock({ alert, block, index, priorAttempt, exchange, reason, emit: events.emit })
}

function executed(
  { alert: { alertId } }: AlertRunOptions,
  executions: ExecutionResult[],
  moments: AlertMoments,
): AlertResult {
  const commands = executions.flatMap((execution) => execution.commands)
  const status = overallStatus(commands)
  return { outcome: 'executed', alertId, status, executions, moments }
}

/** All values, or the first error once every one of them has ended: nothing goes on unseen. */
async function allOf<Value>(promises: Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises)
  return await Promise.all(promises)
}

type BlockFinding = Finding & { block: number }

function checkTarget(
  { isCloseOnly }: AlertMessage,
  block: AlertBlock,
  target: BlockTarget | undefined,
  index: number,
): BlockFinding[] {
  if (target?.problem !== undefined)
    return [{ code: 'E406', message: `${block.label} cannot trade: ${target.problem}`, block: index }]
  if (target?.client === undefined) {
    const message = `${block.label} cannot trade: its market is not available, or its exchange cannot be reached`
    return [{ code: 'E404', message, block: index }]
  }
  const { venue } = target.client
  const market = venue.market(block.symbol)
  const meant = market === undefined ? nearestSymbol(block.symbol, venue) : undefined
  return checkBlock(block.commands, { symbol: block.symbol, market, meant, isCloseOnly }).map((finding) => ({
    ...finding,
    block: index,
  }))
}

function refuse(options: AlertRunOptions, findings: readonly BlockFinding[], checkedAt: number): AlertResult {
  const { alert, events, targets } = options
  const [first] = findings
  const block = alert.blocks[first?.block ?? 0]
  const exchange = targets[first?.block ?? 0]?.client?.market ?? null
  events.emit({
    kind: 'alert.refused',
    eventId: eventIdOf(alert.alertId, '-', 'refused'),
    at: now(),
    userId: alert.userId,
    alertId: alert.alertId,
    botId: block?.botId ?? null,
    label: block?.label ?? null,
    symbol: block?.symbol ?? null,
    exchange,
    ...refusedTexts(alert),
    ...(alert.isCloseOnly && { isCloseOnly: true }),
    receivedAt: alert.receivedAt,
    errorCode: first?.code ?? 'E605',
    error: first?.message ?? '',
  })
  options.onLeftOut(events.stored())
  return refused(options, [...findings], { checkedAt })
}

function refused(
  { alert: { alertId }, takenAt }: AlertRunOptions,
  diagnostics: Extract<AlertResult, { outcome: 'refused' }>['diagnostics'],
  checked: Pick<AlertMoments, 'checkedAt'> = {},
): AlertResult {
  const moments = { takenAt, ...checked, finishedAt: now() }
  return { outcome: 'refused', alertId, diagnostics, moments }
}

/** An alert that may run, and which of its blocks were not judged before. */
interface JudgedAlert extends AlertRunOptions, Pick<Foresight, 'unjudged'> {}

async function runBlock(
  options: JudgedAlert,
  written: AlertBlock,
  index: number,
  moments: OrderMoments,
): Promise<ExecutionResult> {
  const { alert, lanes, targets, priorAttempt } = options
  const executionId = executionIdOf(alert.alertId, index)
  const client = targets[index]?.client
  const market = client?.venue.market(written.symbol)
  if (client === undefined || market === undefined) throw new Error('the block was not checked')
  const block = asAllowed(alert, written, market)
  const run = openRun(options, block, index, client, moments)
  emitReceived(alert, block, run)
  const lane = laneOf(options, block)
  const turn = lane === undefined ? 0 : lane.blocks++
  const own = { block, index, market, absence: client.absence, lane, turn }
  const start = startOf(options, own)
  const passing = createPassing(run)
  // Evidence is gathered before the turn comes, so that a backlog is proven all at once and not one by one.
  const evidence = evidenceOf(options, own, start, passing.run)
  evidence?.catch(() => undefined)
  const entrant = entrantOf(block, client.accountKey, market)
  let execution: Execution | undefined
  // A wait that an earlier owner began is counted, and never refused.
  if (start.current.sleep !== undefined) run.waits.hold()
  try {
    do {
      const from = execution === undefined ? (evidence ?? start) : await sleepOn(execution, run)
      const isFirstTurn = execution === undefined
      const isUnsent = (execution ?? start).notAbsentBefore === undefined
      execution = await lanes.enter(
        { ...entrant, name: executionId, isUnsent, breakOrder: options.breakOrder },
        async ({ letExitsPass, isOvertaken, isOver }) => {
          const wasOvertaken = isFirstTurn && priorAttempt?.overtaken.has(executionId) === true
          const isBehind = (): boolean => wasOvertaken || isOvertaken()
          const limits = (): BotLimits => ({ ...run.limits(), isOvertaken: isBehind() })
          passing.begin(letExitsPass)
          const found = await from
          const begun = isFirstTurn ? asKnownNow(options, own, found) : found
          const ended = await drive(isOver ? overtaken(begun) : begun, { ...run, limits, letExitsPass })
          noteEnd(own, ended)
          if (isBehind()) options.forgetOvertaken(executionId)
          return ended
        },
      )
    } while (execution.outcomes.length < execution.commands.length)
  } finally {
    run.waits.release()
    run.meter.left()
  }
  return emitFinished(execution.outcomes, alert.receivedAt, run)
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

/** A block of an alert, and the market in which it runs. */
interface OwnBlock {
  block: AlertBlock
  index: number
  market: Market
  absence: AbsenceRule
  lane: PriorLane | undefined
  /** Its place in the lane. */
  turn: number
}

/**
 * Returns evidence of an earlier owner's acts on a block. In a lane that it ran in order only what may have been begun
 * is asked for: behind one that was not, nothing was.
 */
function evidenceOf(
  options: JudgedAlert,
  own: OwnBlock,
  start: Execution,
  run: Run,
): Promise<Execution> | undefined {
  const { priorAttempt } = options
  if (priorAttempt === undefined) return undefined
  const { lane } = own
  if (lane === undefined) return gatherEvidence(start, run)
  const evidence = lane.mayBeBegun.then(async (mayBeBegun) =>
    mayBeBegun || start.outcomes.length > 0 ? await gatherEvidence(start, run) : unbegunOf(options, own),
  )
  lane.mayBeBegun = evidence.then(mayHaveGoneOn, () => true)
  return evidence
}

/** The place of a block in a lane that a former owner ran in order; undefined where the order says nothing of it. */
function laneOf({ alert, priorAttempt }: AlertRunOptions, block: AlertBlock): OwnBlock['lane'] {
  if (priorAttempt?.begun === undefined || !staysInLane(block.commands)) return undefined
  const name = `${alert.userId} ${block.botId} ${block.symbol}`
  const lane = priorAttempt.begun.get(name) ?? newLane()
  priorAttempt.begun.set(name, lane)
  return lane
}

/** The block as if it had just come. */
function unbegunOf(options: JudgedAlert, own: OwnBlock): Execution {
  const { priorAttempt } = options
  return startOf(
    { ...options, priorAttempt: priorAttempt && { ...priorAttempt, notAbsentBefore: undefined } },
    own,
  )
}

/**
 * A block whose turn has come: as if it had just come, where one before it in its lane has run meanwhile and was found not
 * to have been begun.
 */
function asKnownNow(options: JudgedAlert, own: OwnBlock, found: Execution): Execution {
  const { outcomes, notAbsentBefore, current } = found
  const isOpen = notAbsentBefore !== undefined && outcomes.length === 0 && current.kept === undefined
  const isUnbegun = own.lane !== undefined && own.lane.unbegunFrom < own.turn
  return isOpen && isUnbegun ? unbegunOf(options, own) : found
}

/** Notes how a block ended: where its own order was not there before, nothing behind it was begun. */
function noteEnd({ lane, turn }: OwnBlock, { notAbsentBefore }: Execution): void {
  if (lane !== undefined && notAbsentBefore === undefined) lane.unbegunFrom = Math.min(lane.unbegunFrom, turn)
}

/** The block as the address of its alert lets it run. */
function asAllowed({ isCloseOnly }: AlertMessage, block: AlertBlock, market: Market): AlertBlock {
  if (isCloseOnly !== true) return block
  return { ...block, commands: block.commands.map((command) => reducing(command, market)) }
}

function startOf(
  { alert, priorAttempt, unjudged }: JudgedAlert,
  { block, index, market, absence }: OwnBlock,
): Execution {
  const kept = priorAttempt?.progress[index]
  const outcomes = priorAttempt === undefined ? [] : outcomesBefore(priorAttempt, alert.alertId, index)
  const about = {
    alertId: alert.alertId,
    block: index,
    commands: block.commands,
    market,
    absence,
    dueAt: alert.receivedAt,
    notAbsentBefore: priorAttempt?.notAbsentBefore,
    isRestored: priorAttempt?.isRestored === true,
    isCloseOnly: alert.isCloseOnly === true,
    isUnjudged: unjudged.has(index),
  }
  const isAsleep = kept !== undefined && kept.outcomes.length === outcomes.length
  return startExecution(about, outcomes, now(), isAsleep ? kept : undefined)
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
  options: AlertRunOptions,
  block: AlertBlock,
  index: number,
  client: BotClient,
  moments: OrderMoments,
): Run {
  const { alert, events, limitsOf, stopping, log, watching, meters } = options
  const identity = identityOf(alert, block, index, client.market)
  const market = { userId: alert.userId, accountKey: client.accountKey, symbol: block.symbol }
  const saleOf = ({ command }: About): string => keyOf({ ...identity, command })
  return {
    identity,
    venue: client.venue,
    tenure: options.tenure,
    commandStore: commandStoreOf(options, identity, index),
    endWatches: async (clientOrderIds, command) =>
      await watching.end(market, {
        clientOrderIds,
        command,
        alertId: alert.alertId,
        isCloseOnly: alert.isCloseOnly === true,
      }),
    exits: async (areComingToo) => await watching.exitsAt(market, areComingToo),
    watch: (about, after) => watching.begin({ ...identity, ...about }, after),
    ownExits: async () => await watching.ownExits(identity),
    takeBack: async (about, exits) => await watching.takeBack(identity, saleOf(about), exits),
    beginSale: async (about, exits) => await watching.beginSale(identity, saleOf(about), exits),
    giveBack: async (about, exits) => await watching.giveBack(identity, saleOf(about), exits),
    leaveBare: (coins) =>
      watching.leaveBare(protectedPositionOf(identity, coins === undefined ? {} : { coins })),
    waits: {
      hold: () => options.waits.hold(identity.executionId),
      release: () => options.waits.release(identity.executionId),
    },
    entries: {
      read: async () => await options.entries.read(identity),
      note: (command, note) =>
        options.entries.note(identity, { executionId: identity.executionId, command }, note),
    },
    flight: { receivedAt: alert.receivedAt, durableAt: options.durableAt, pickedUpAt: options.takenAt },
    letExitsPass: () => undefined,
    breakOrder: options.breakOrder,
    moments,
    limits: () => limitsOf(block),
    emit: events.emit,
    stored: events.stored,
    stopping,
    log,
    meter: meters(identity),
  }
}
