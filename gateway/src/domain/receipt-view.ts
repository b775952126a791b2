import type { ReceiptView } from '@tripline/proto/http/receipt'
import type { UserId } from '@tripline/proto/id'
import type { Receipt } from '@tripline/proto/intake-request'

/** Returns a user's receipt as the API shows it. */
export function receiptView(userId: UserId, receipt: Receipt): ReceiptView {
  const { number, hash, state, message } = receipt
  return {
    number,
    user_id: userId,
    alert_id: receipt.alertId,
    received_at: receipt.receivedAt,
    message_sha256: receipt.messageHash,
    previous_hash: receipt.previousHash,
    hash,
    state,
    state_at: receipt.stateAt,
    message,
  }
}
