import { z } from 'zod'
import { Moment } from './alert.ts'
import { CommandStatus } from './command-result.ts'
import { DecimalText } from './decimal.ts'
import { ExchangeMarket } from './exchange.ts'
import { AlertId, BotId, ExecutionId, UserId } from './id.ts'
import { requestContract } from './request.ts'
import { StorableText } from './storable-text.ts'

const Execution = z.object({
  id: z.string(),
  alertId: z.string(),
  createdAt: z.iso.datetime(),
  label: z.string().nullable(),
  exchange: z.string().nullable(),
  symbol: z.string().nullable(),
  status: z.enum(['success', 'partial', 'failed', 'running']),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  totalMs: z.number().nullable(),
  message: z.string(),
  /** The alert came at the close-only address of its bot. */
  isCloseOnly: z.boolean().default(false),
  commands: z.array(
    z.object({
      type: z.string(),
      params: z.record(z.string(), z.string()),
      status: CommandStatus,
      executionTimeMs: z.number().nullable(),
      errorCode: z.string().nullable(),
      error: z.string().nullable(),
      result: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
})
/** One execution as history shows it. */
export type Execution = z.infer<typeof Execution>

const Amount = z.object({ coin: z.string(), amount: DecimalText })

/** The longest text that is searched for, in characters. */
export const longestSearch = 100

/** Outcomes of alerts that a list may be narrowed to besides statuses. */
export const executionOutcomes = ['late', 'refused', 'partial', 'repeated', 'slipped'] as const

/** The orders of a list: by the receipt, or by how long it took in all. */
export const executionSorts = ['newest', 'oldest', 'slowest'] as const

const filters = {
  label: StorableText.optional(),
  exchange: StorableText.optional(),
  symbol: StorableText.optional(),
  commandType: StorableText.optional(),
  status: z.enum(['success', 'partial', 'failed', 'running']).optional(),
  outcome: z.enum(executionOutcomes).optional(),
  /** Received at this moment or later. */
  from: z.iso.datetime().optional(),
  /** Received before this moment. */
  to: z.iso.datetime().optional(),
  /** A part of the message, or all of an error code, an order id, or an id of ours. */
  search: StorableText.max(longestSearch).optional(),
}

/** The ends of the executions that filters choose, and their sums as far as they are known. */
export const ExecutionSums = z.object({
  counts: z.object({ success: z.int(), partial: z.int(), failed: z.int(), running: z.int() }),
  /** Among the failed ones, those of which nothing was executed. */
  refused: z.int(),
  /** The part of the finished ones, the refused ones left out, that succeeded, 0 to 1; null if there is none. */
  successRate: z.number().min(0).max(1).nullable(),
  /** The durations of commands, those that wait left out; null without any. */
  medianMs: z.number().nullable(),
  p95Ms: z.number().nullable(),
  /** The filled amounts, by the coin that they were paid in. */
  filled: z.array(Amount),
  /** Fees by their coin; negative where the exchange paid. */
  fees: z.array(Amount),
})
export type ExecutionSums = z.infer<typeof ExecutionSums>

/** Returns the sums of those of a user's executions that the filters choose. */
export const sumExecutions = requestContract(
  'history.execution.sums',
  z.object({ userId: UserId, ...filters }),
  ExecutionSums,
)

/**
 * A page of a user's executions, in the order asked for; filters that are left out do not filter. The page may be
 * shorter than asked for where executions are large; `hasMore` is true if there are others behind it.
 */
export const listExecutions = requestContract(
  'history.execution.list',
  z.object({
    userId: UserId,
    offset: z.int().min(0),
    limit: z.int().min(1).max(100),
    /** Only those behind this execution. */
    before: StorableText.optional(),
    sort: z.enum(executionSorts).default('newest'),
    /** Counting all of them takes longer than a page of them. */
    withTotal: z.boolean().default(true),
    ...filters,
  }),
  z.object({ executions: z.array(Execution), total: z.int().nullable(), hasMore: z.boolean() }),
)

const FlightEvent = z.object({
  at: Moment,
  kind: z.string(),
  /** Since the receipt, in ms. */
  afterMs: z.number(),
  /** The place of the command it is about, where it is about one. */
  command: z.int().nullable(),
  details: z.record(z.string(), z.unknown()),
})
/** One event of an execution, without what the execution says itself. */
export type FlightEvent = z.infer<typeof FlightEvent>

/** The duration of each stage, in ms; a stage without events is absent. */
const FlightStages = z.object({
  queueMs: z.number().optional(),
  planMs: z.number().optional(),
  venueMs: z.number().optional(),
  settleMs: z.number().optional(),
})
export type FlightStages = z.infer<typeof FlightStages>

/** One execution with all its events; `not_found` where the user has no such execution. */
export const getExecution = requestContract(
  'history.execution.get',
  z.object({ userId: UserId, id: StorableText.max(40) }),
  z.object({
    execution: Execution,
    /** The body as it was received, where the message is not the whole of it. */
    body: z.string().nullable(),
    stages: FlightStages,
    events: z.array(FlightEvent),
  }),
)

const BotFigures = z.object({
  botId: BotId,
  /** The newest execution; null while there is none. */
  last: z.object({ id: z.string(), createdAt: z.iso.datetime(), status: Execution.shape.status }).nullable(),
  /** Of the last 24 hours, those that were refused included. */
  executions: z.int(),
  /** The ends of the finished ones; among the failed ones, of the refused ones nothing was executed. */
  counts: z.object({ success: z.int(), partial: z.int(), failed: z.int(), refused: z.int() }).exactOptional(),
  /** The part of the finished ones, the refused ones left out, that succeeded, 0 to 1; null if there is none. */
  successRate: z.number().min(0).max(1).nullable(),
  /** The duration of its commands, those that wait left out; null without any. */
  medianMs: z.number().nullable(),
  p95Ms: z.number().nullable(),
})
/** The figures of one bot's executions. */
export type BotFigures = z.infer<typeof BotFigures>

/** Returns the figures of a user's executions: over all, and of each of these bots, in their order. */
export const summarizeExecutions = requestContract(
  'history.execution.summary',
  z.object({ userId: UserId, botIds: z.array(BotId).max(1000) }),
  z.object({
    lastAt: z.iso.datetime().nullable(),
    failedLastHour: z.int(),
    bots: z.array(BotFigures),
  }),
)

const Unfinished = z.object({
  id: ExecutionId,
  alertId: AlertId,
  userId: UserId,
  botId: BotId,
  label: z.string(),
  exchange: ExchangeMarket,
  symbol: z.string(),
  receivedAt: Moment,
  /** In their order; the status is null of one without an event. */
  commands: z.array(z.object({ type: z.string(), status: CommandStatus.nullable() })),
})
/** An execution whose end history does not have. */
export type Unfinished = z.infer<typeof Unfinished>

/** Executions of all users without an end, by id, a page behind the one that is named. */
export const listUnfinished = requestContract(
  'history.execution.unfinished',
  z.object({ after: StorableText.default('') }),
  z.object({ executions: z.array(Unfinished) }),
)

const AlertEnds = z.object({
  userId: UserId,
  alertId: AlertId,
  /**
   * The code with which it was refused as a whole, if it was. A refusal at the door because it could not be stored
   * (`not_durable`) ends nothing: sent again under its id, it may be executed.
   */
  refusal: z.string().nullable(),
  /** Counts of its executions with and without an end; each of its blocks is one. */
  ended: z.int(),
  open: z.int(),
  /** Executions that have ended more than once, each time otherwise. */
  contradicted: z.int().default(0),
})
/** The executions that history has of one alert. */
export type AlertEnds = z.infer<typeof AlertEnds>

/** The extent of the events that history has. */
const taken = {
  /** Events that were stored before the question and are not taken yet: what is in them, history does not know. */
  pending: z.int().min(0),
  /** The sequence in EVENTS of the newest event at the question, and up to which history has all of them. */
  storedUntil: z.int().min(0),
  takenUntil: z.int().min(0),
}

/** The most alerts that one question may name, or one page holds. */
export const mostAlertEnds = 500

/** The ends of these alerts, without those of which history has nothing. */
export const readAlertEnds = requestContract(
  'history.alert.ends',
  z.object({ alerts: z.array(z.object({ userId: UserId, alertId: AlertId })).max(mostAlertEnds) }),
  z.object({ alerts: z.array(AlertEnds), ...taken }),
)

/** The alerts of all users from one id on and before another, by id; a page of them. */
export const listAlertEnds = requestContract(
  'history.alert.list',
  z.object({ from: AlertId, before: AlertId }),
  z.object({ alerts: z.array(AlertEnds), hasMore: z.boolean(), ...taken }),
)
