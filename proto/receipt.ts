/** The fields of a receipt that its hash says; each is text as it is hashed, the number in decimal digits. */
export interface ReceiptFields {
  number: number
  userId: string
  alertId: string
  /** The moment of the alert's receipt, in ISO 8601 with milliseconds, in UTC. */
  receivedAt: string
  /** The SHA-256 of the alert's body as it was received, in hexadecimal digits. */
  messageHash: string
  /** The hash of the user's receipt before this one; `noReceipt` before the first one. */
  previousHash: string
}

/** A receipt with its own hash, by which it can be checked. */
export interface HashedReceipt extends ReceiptFields {
  hash: string
}

/** Stands for the hash of the receipt before a user's first one. */
export const noReceipt = '0'.repeat(64)

const form = 'tripline-receipt-1'

/** Returns the text of which a receipt's hash is the SHA-256; it is documented, and owners make it themselves. */
export function receiptText({
  number,
  userId,
  alertId,
  receivedAt,
  messageHash,
  previousHash,
}: ReceiptFields): string {
  return [form, number, userId, alertId, receivedAt, messageHash, previousHash].join('\n')
}

/** The first fault of a chain of receipts: at which number, and in words. */
export interface ChainFault {
  number: number
  reason: string
}

/** The outcome of a check of a chain. */
export interface ChainCheck {
  count: number
  first: number | undefined
  last: number | undefined
  fault: ChainFault | undefined
}

/** A check of a chain that takes its receipts in pieces, by number from the lowest one on. */
export interface ChainChecking {
  /** Checks further receipts; returns the fault as soon as there is one. */
  add: (receipts: readonly HashedReceipt[]) => Promise<ChainFault | undefined>
  result: () => ChainCheck
}

/** Begins to check a chain; the first receipt that it takes may be any, since older ones are deleted one day. */
export function checkChain(sha256: (text: string) => Promise<string>): ChainChecking {
  let count = 0
  let first: number | undefined
  let before: HashedReceipt | undefined
  let fault: ChainFault | undefined
  return {
    add: async (receipts) => {
      for (const receipt of receipts) {
        if (fault !== undefined) break
        fault = await faultOf(receipt, before, sha256)
        if (fault !== undefined) break
        first ??= receipt.number
        before = receipt
        count++
      }
      return fault
    },
    result: () => ({ count, first, last: before?.number, fault }),
  }
}

async function faultOf(
  receipt: HashedReceipt,
  before: HashedReceipt | undefined,
  sha256: (text: string) => Promise<string>,
): Promise<ChainFault | undefined> {
  const { number, hash, previousHash } = receipt
  const expected = before === undefined ? number : before.number + 1
  if (number !== expected) return { number: expected, reason: `receipt ${expected} is missing` }
  const expectedHash = before?.hash ?? (number === 1 ? noReceipt : previousHash)
  if (previousHash !== expectedHash)
    return { number, reason: `receipt ${number} does not name the hash of the one before it` }
  if ((await sha256(receiptText(receipt))) !== hash)
    return { number, reason: `the hash of receipt ${number} is not that of its fields` }
  return undefined
}
