import { z } from 'zod'
import { AccountReading } from './account.ts'
import { AlertBlock } from './alert.ts'
import { Exchange, ExchangeMarket, MarketType } from './exchange.ts'
import { BotId, UserId } from './id.ts'
import { KeyTest } from './key-test.ts'
import { BlockPlan } from './plan.ts'
import { requestContract } from './request.ts'
import { partitionCount } from './subject.ts'

/** Opens an account on the paper exchange for a new bot; the secret comes back sealed, for the executor only. */
export const openPaperAccount = requestContract(
  'executor.paper.open',
  z.object({ userId: UserId, botId: BotId, isTestnet: z.boolean() }),
  z.object({ sealed: z.string(), apiKeyPreview: z.string() }),
)

/** Gives a Paper bot's account its opening balance back; orders are canceled and positions gone. */
export const resetPaperAccount = requestContract(
  'executor.paper.reset',
  z.object({ userId: UserId, botId: BotId, isTestnet: z.boolean(), sealed: z.string() }),
  z.object({}),
)

/** Tries a bot's credentials at its exchange, and returns what is not as it should be. */
export const testKey = requestContract(
  'executor.key.test',
  z.object({
    userId: UserId,
    botId: BotId,
    exchange: Exchange,
    marketType: MarketType,
    isTestnet: z.boolean(),
    sealed: z.string(),
  }),
  KeyTest,
)

/**
 * Returns the present plan of a user's blocks in this partition, without executing it; asked of the partition's owner.
 */
export const planBlocks = (partition: number) =>
  requestContract(
    `executor.${partition}.alert.plan`,
    z.object({ userId: UserId, blocks: z.array(AlertBlock).min(1) }),
    z.object({ blocks: z.array(BlockPlan) }),
  )

/**
 * Returns which bots of a user in this partition have credentials that are of no use, and why, and which have a client
 * that is connected; asked of the partition's owner.
 */
export const diagnoseBots = (partition: number) =>
  requestContract(
    `executor.${partition}.bot.diagnose`,
    z.object({ userId: UserId }),
    z.object({
      bots: z.array(z.object({ botId: BotId, problem: z.string() })),
      connected: z.array(z.object({ label: z.string(), exchange: ExchangeMarket })).default([]),
    }),
  )

/** Reads the account of a bot of a user in this partition at its exchange; asked of the partition's owner. */
export const readAccount = (partition: number) =>
  requestContract(
    `executor.${partition}.account.read`,
    z.object({ userId: UserId, botId: BotId }),
    AccountReading.pick({ read_at: true, statement: true, error_code: true, error: true }),
  )

/** Has an executor settle what is in flight and hand over all that it holds; it takes nothing more until it is ended. */
export const drainExecutor = (owner: string) =>
  requestContract(`executor.${owner}.partition.drain`, z.object({}), z.object({}))

/** Published by an executor while new alerts wait in it. */
export const AlertsDelayed = z.object({
  executor: z.string(),
  /** Alerts that wait until it takes them, requests to exchanges until a connection is free, or all in its event loop. */
  queue: z.enum(['alerts', 'requests', 'loop']),
  /** The partitions that it serves. */
  partitions: z.array(z.int().nonnegative().lt(partitionCount)).max(partitionCount),
  /** The time that each of the last ones waited at least, in ms. */
  delayMs: z.number().nonnegative(),
  /**
   * The alerts that it takes out of the queue in a second, or of another queue those that it executes in one; executors from
   * before 2026-11-28 leave it out there.
   */
  perSecond: z.number().nonnegative().optional(),
  /** The most alerts a second that it has executed for some seconds of the last minutes. */
  mostPerSecond: z.number().nonnegative().default(0),
})
export type AlertsDelayed = z.infer<typeof AlertsDelayed>
