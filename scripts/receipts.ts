// npm run receipts -- check <file>: checks the chain of exported receipts (docs/receipts.md).
import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { checkChain, type HashedReceipt } from '@tripline/proto/receipt'
import { z } from 'zod'

const usage = 'npm run receipts -- check <file>, of GET /api/receipts/export'

const Line = z
  .object({
    number: z.int(),
    user_id: z.string(),
    alert_id: z.string(),
    received_at: z.string(),
    message_sha256: z.string(),
    previous_hash: z.string(),
    hash: z.string(),
  })
  .transform(
    (line): HashedReceipt => ({
      number: line.number,
      userId: line.user_id,
      alertId: line.alert_id,
      receivedAt: line.received_at,
      messageHash: line.message_sha256,
      previousHash: line.previous_hash,
      hash: line.hash,
    }),
  )

const [act, name] = process.argv.slice(2)
if (act !== 'check' || name === undefined) {
  console.error(usage)
  process.exit(2)
}
const checking = checkChain(async (text) => hash('sha256', text))
const file = await open(name)
for await (const line of file.readLines()) await checking.add([Line.parse(JSON.parse(line))])
const { fault, count, first, last } = checking.result()
if (fault !== undefined) {
  console.error(`The chain is broken: ${fault.reason}.`)
  process.exit(1)
}
console.log(count === 0 ? 'No receipts.' : `The chain is whole: ${count} receipts, from ${first} to ${last}.`)
