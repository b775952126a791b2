import { hash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { type ChainCheck, checkChain, type HashedReceipt, noReceipt, receiptText } from './receipt.ts'

const sha256 = async (text: string): Promise<string> => hash('sha256', text)

const userId = '0b8b1b5e-3f0a-4c52-9d2b-8f4f3c1f2a10'

function chainOf(length: number): HashedReceipt[] {
  const chain: HashedReceipt[] = []
  for (let number = 1; number <= length; number++) {
    const fields = {
      number,
      userId,
      alertId: `01M7Z3YEC8DZQ6GC0TP98HWS${String(number).padStart(2, '0')}`,
      receivedAt: '2026-11-28T22:31:51.042Z',
      messageHash: hash('sha256', `message ${number}`),
      previousHash: chain.at(-1)?.hash ?? noReceipt,
    }
    chain.push({ ...fields, hash: hash('sha256', receiptText(fields)) })
  }
  return chain
}

async function check(...parts: HashedReceipt[][]): Promise<ChainCheck> {
  const checking = checkChain(sha256)
  for (const part of parts) await checking.add(part)
  return checking.result()
}

function changed(chain: HashedReceipt[], number: number, change: Partial<HashedReceipt>): HashedReceipt[] {
  return chain.map((receipt) => (receipt.number === number ? { ...receipt, ...change } : receipt))
}

test('the text of a receipt is the one that is documented', () => {
  const fields = {
    number: 12,
    userId,
    alertId: '01M7Z3YEC8DZQ6GC0TP98HWSRF',
    receivedAt: '2026-11-28T22:31:51.042Z',
    messageHash: hash('sha256', 'MyBot(BTCUSDT) { market(buy, 0.01) }'),
    previousHash: noReceipt,
  }
  expect(receiptText(fields)).toBe(
    `tripline-receipt-1\n12\n${userId}\n01M7Z3YEC8DZQ6GC0TP98HWSRF\n2026-11-28T22:31:51.042Z\n` +
      `${fields.messageHash}\n${noReceipt}`,
  )
  expect(hash('sha256', receiptText(fields))).toBe(
    '83c988ae4ed03ba389792ec88a1f0e8bb45281e8ca221aedb9272f441bc594b0',
  )
})

describe('a chain', () => {
  test('is whole from its first receipt or any later one, also in pieces', async () => {
    const chain = chainOf(5)
    expect(await check(chain)).toEqual({ count: 5, first: 1, last: 5, fault: undefined })
    expect(await check(chain.slice(2, 3), chain.slice(3))).toEqual({
      count: 3,
      first: 3,
      last: 5,
      fault: undefined,
    })
    expect(await check()).toEqual({ count: 0, first: undefined, last: undefined, fault: undefined })
  })

  test.each([
    ['a field that was changed', { alertId: '01M7Z3YEC8DZQ6GC0TP98HWSXX' }, 'is not that of its fields'],
    ['a hash that was changed', { hash: hash('sha256', 'another') }, 'is not that of its fields'],
    ['another one before it', { previousHash: hash('sha256', 'x') }, 'does not name the hash'],
  ])('with %s is not', async (_, change, reason) => {
    const { fault, count } = await check(changed(chainOf(5), 3, change))
    expect(fault).toEqual({ number: 3, reason: expect.stringContaining(reason) })
    expect(count).toBe(2)
  })

  test('without one of its receipts is not, nor one whose first receipt follows another', async () => {
    const chain = chainOf(5)
    expect((await check(chain.filter(({ number }) => number !== 3))).fault).toEqual({
      number: 3,
      reason: 'receipt 3 is missing',
    })
    expect((await check(changed(chain, 1, { previousHash: hash('sha256', 'x') }))).fault?.number).toBe(1)
  })

  test('made anew behind a changed receipt differs from the hash that its owner stored', async () => {
    const chain = chainOf(3)
    const [first, second] = chain
    if (first === undefined || second === undefined) throw new Error('no chain')
    const forged = { ...second, messageHash: hash('sha256', 'another message') }
    const whole = { ...forged, hash: hash('sha256', receiptText(forged)) }
    expect((await check([first, whole])).fault).toBeUndefined()
    expect(whole.hash).not.toBe(second.hash)
  })
})
