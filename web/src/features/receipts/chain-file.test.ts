import { expect, test } from '@jest/globals'
import { noReceipt, receiptText } from '@tripline/proto/receipt'
import { browserSha256, checkFile } from './chain-file.ts'

const userId = '0b8b1b5e-3f0a-4c52-9d2b-8f4f3c1f2a10'

/** An export of so many receipts. */
async function fileOf(count: number): Promise<string> {
  const lines: string[] = []
  let previousHash = noReceipt
  for (let number = 1; number <= count; number++) {
    const alertId = `alert ${number}`
    const receivedAt = '2026-11-28T22:31:51.042Z'
    const messageHash = await browserSha256(`message ${number}`)
    const hash = await browserSha256(
      receiptText({ number, userId, alertId, receivedAt, messageHash, previousHash }),
    )
    const fields = { number, user_id: userId, alert_id: alertId, received_at: receivedAt, hash }
    lines.push(JSON.stringify({ ...fields, message_sha256: messageHash, previous_hash: previousHash }))
    previousHash = hash
  }
  return `${lines.join('\n')}\n`
}

async function* partsOf(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

test.each([1, 100, 100_000])(
  'an export is checked while it is read in pieces of %d characters',
  async (length) => {
    const counts: number[] = []
    const check = await checkFile(partsOf(await fileOf(5), length), browserSha256, (count) =>
      counts.push(count),
    )
    expect(check).toEqual({ count: 5, first: 1, last: 5, fault: undefined })
    expect(counts.at(-1)).toBe(5)
  },
)

test('the first fault ends the check', async () => {
  const file = (await fileOf(5)).replace('alert 3', 'alert 9')
  const check = await checkFile(partsOf(file, 50), browserSha256, () => undefined)
  expect(check).toMatchObject({ count: 2, fault: { number: 3 } })
})

test('an export of nothing is whole', async () => {
  const check = await checkFile(partsOf('', 1), browserSha256, () => undefined)
  expect(check).toEqual({ count: 0, first: undefined, last: undefined, fault: undefined })
})
