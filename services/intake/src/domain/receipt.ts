import type { AlertId, UserId } from '@tripline/proto/id'
import { type HashedReceipt, noReceipt, receiptText } from '@tripline/proto/receipt'

/** An alert that is to get a receipt. */
export interface ReceiptedAlert {
  userId: UserId
  alertId: AlertId
  /** In ISO 8601 with milliseconds. */
  receivedAt: string
  /** The body as it was received. */
  body: string
  /** Whether the stream has confirmed it; else it may lie there or not. */
  isConfirmed: boolean
  /** Its place in the stream, where this process stored it. */
  sequence: number | undefined
  /** The number of its blocks; each is an execution. */
  blocks: number
  /** Whether another attempt may have got it a receipt before. */
  isResend: boolean
}

/** A receipt without a number. */
export interface ReceiptDraft extends Omit<ReceiptedAlert, 'body'> {
  messageHash: string
  /** The body as a database can hold it. */
  message: string
}

/** A user's newest receipt. */
export interface ReceiptHead {
  number: number
  hash: string
}

/** A receipt that has its place in its user's chain. */
export type NumberedReceipt = ReceiptDraft & HashedReceipt

/** The newest receipt that a batch makes for a user, and the one on which it builds. */
export interface HeadChange extends ReceiptHead {
  userId: UserId
  /** The hash of the receipt before the batch's first one. */
  basedOn: string
}

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export type Sha256 = (text: string) => string

/** Returns the receipt of an alert, as far as it is known without those before it. */
export function receiptDraft({ body, ...alert }: ReceiptedAlert, sha256: Sha256): ReceiptDraft {
  return {
    ...alert,
    messageHash: sha256(body),
    message: body.toWellFormed().replaceAll('\0', '\uFFFD'),
  }
}

/** Numbers drafts in their order, each user's behind that user's newest receipt. */
export function numbered(
  drafts: readonly ReceiptDraft[],
  headOf: (userId: UserId) => ReceiptHead | undefined,
  sha256: Sha256,
): { receipts: NumberedReceipt[]; heads: HeadChange[] } {
  const heads = new Map<UserId, HeadChange>()
  const receipts = drafts.map((draft) => {
    const before = heads.get(draft.userId) ?? headOf(draft.userId)
    const previousHash = before?.hash ?? noReceipt
    const fields = { ...draft, number: (before?.number ?? 0) + 1, previousHash }
    const receipt = { ...fields, hash: sha256(receiptText(fields)) }
    const basedOn = heads.get(draft.userId)?.basedOn ?? previousHash
    heads.set(draft.userId, { userId: draft.userId, number: receipt.number, hash: receipt.hash, basedOn })
    return receipt
  })
  return { receipts, heads: [...heads.values()] }
}
