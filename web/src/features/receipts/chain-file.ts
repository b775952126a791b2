import type { ReceiptView } from '@tripline/proto/http/receipt'
import { type ChainCheck, checkChain, type HashedReceipt } from '@tripline/proto/receipt'

/** Checks the chain of an export while it is read; calls back with the number of receipts that were checked so far. */
export async function checkFile(
  parts: AsyncIterable<string>,
  sha256: (text: string) => Promise<string>,
  onProgress: (count: number) => void,
): Promise<ChainCheck> {
  const checking = checkChain(sha256)
  let rest = ''
  for await (const part of parts) {
    const lines = `${rest}${part}`.split('\n')
    rest = lines.pop() ?? ''
    const fault = await checking.add(receiptsIn(lines))
    onProgress(checking.result().count)
    if (fault !== undefined) return checking.result()
  }
  await checking.add(receiptsIn([rest]))
  return checking.result()
}

/** Returns the SHA-256 of a text, in hexadecimal digits, by the browser. */
export async function browserSha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function receiptsIn(lines: readonly string[]): HashedReceipt[] {
  return lines.filter((line) => line !== '').map((line) => hashedReceipt(JSON.parse(line)))
}

function hashedReceipt(view: ReceiptView): HashedReceipt {
  return {
    number: view.number,
    userId: view.user_id,
    alertId: view.alert_id,
    receivedAt: view.received_at,
    messageHash: view.message_sha256,
    previousHash: view.previous_hash,
    hash: view.hash,
  }
}
