import { z } from 'zod'
import { AlertBlock, Moment } from './alert.ts'
import { DiagnosticView } from './http/webhook.ts'
import { AlertId, UserId } from './id.ts'
import { requestContract } from './request.ts'
import { AlertFormat } from './user-config.ts'

/** Reads a message as a webhook of this format would, without running it; there are no blocks where it would be refused. */
export const readAlertMessage = requestContract(
  'intake.message.read',
  z.object({ userId: UserId, message: z.string(), alertFormat: AlertFormat.default('tripline') }),
  z.object({ blocks: z.array(AlertBlock), diagnostics: z.array(DiagnosticView) }),
)

/**
 * Returns the present use of the webhook's limit, and of that of its owner's session, and the addresses that called its
 * present URL last, newest first.
 */
export const getWebhookUsage = requestContract(
  'intake.webhook.usage',
  z.object({ userId: UserId }),
  z.object({
    usedLastMinute: z.int().nonnegative(),
    session: z
      .object({ usedLastMinute: z.int().nonnegative(), maxPerMinute: z.int().positive() })
      .exactOptional(),
    senders: z.array(z.object({ address: z.string(), seenAt: Moment, isTradingview: z.boolean() })),
  }),
)

/**
 * The states of a receipt: its alert's end is not known yet (`open`), also a minute later (`waiting`: nobody has begun it); it
 * has ended; storage lost it; or it was never stored, as its answer said was possible.
 */
export const receiptStates = ['open', 'waiting', 'ended', 'lost', 'unstored'] as const
export type ReceiptState = (typeof receiptStates)[number]

/** Faults that the audit of receipts finds besides lost alerts. */
export const receiptProblems = ['no_receipt', 'ended_twice', 'ended_after_lost'] as const
export type ReceiptProblem = (typeof receiptProblems)[number]

const Receipt = z.object({
  number: z.int().positive(),
  alertId: AlertId,
  receivedAt: z.iso.datetime(),
  messageHash: z.string(),
  previousHash: z.string(),
  hash: z.string(),
  state: z.enum(receiptStates),
  /** The moment since when the state is known. */
  stateAt: z.iso.datetime(),
  /** The beginning of the message of an alert that was lost; null of others, which the history has. */
  message: z.string().nullable(),
})
export type Receipt = z.infer<typeof Receipt>

/** The most receipts of one page. */
export const mostReceipts = 500

/**
 * A page of a user's receipts, and the newest problems that the audit found with the user's alerts: the newest receipts before
 * a number, or those from the lowest number on behind one.
 */
export const listReceipts = requestContract(
  'intake.receipt.list',
  z.object({
    userId: UserId,
    state: z.enum(receiptStates).optional(),
    before: z.int().optional(),
    after: z.int().optional(),
    limit: z.int().min(1).max(mostReceipts),
  }),
  z.object({
    receipts: z.array(Receipt),
    hasMore: z.boolean(),
    problems: z.array(
      z.object({
        kind: z.enum(receiptProblems),
        alertId: AlertId,
        foundAt: z.iso.datetime(),
        text: z.string(),
      }),
    ),
  }),
)

/**
 * The header under which the gateway names a request; an answer that repeats it asks for a report of its delivery. The
 * gateway drops what callers say there.
 */
export const deliveryHeader = 'x-tripline-delivery'

/** The header under which intake names the alert that it answers, for the gateway alone. */
export const answeredAlertHeader = 'x-tripline-alert'

/**
 * The time for which the gateway keeps what it published of deliveries, for an intake that begins and did not receive
 * it.
 */
export const deliveryRetentionMs = 25_000

/** Whether a caller got the answer to the request of this name; a later word replaces an earlier one. */
export const AnswerDelivery = z.object({
  id: z.string(),
  isReceived: z.boolean(),
  /** The alert that was answered. */
  alertId: AlertId.exactOptional(),
  /** The time from the request's arrival at the gateway to this word, in whole ms. */
  tookMs: z.int().nonnegative().exactOptional(),
})
export type AnswerDelivery = z.infer<typeof AnswerDelivery>
