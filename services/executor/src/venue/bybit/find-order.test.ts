import { expect, test } from '@jest/globals'
import type { LibraryClient } from '../library-client.ts'
import type { Desk } from './desk.ts'
import { createOrderFinder } from './find-order.ts'

const ref = { symbol: 'BTCUSDT', clientOrderId: 't1', isConditional: false }

/** What is asked where an order is looked for that the venue does not have. */
async function asked(depth?: 'recent' | 'all'): Promise<string[]> {
  const paths: string[] = []
  const client: LibraryClient = {
    get: async (_api, path) => {
      paths.push(path)
      return { retCode: 0, result: { list: [] } }
    },
  }
  const ask: Desk['ask'] = async (question) => await question()
  const desk = { category: 'linear', ask, askOfOrder: ask } as unknown as Desk
  expect(await createOrderFinder(desk, client, () => 'USDT').find(ref, depth)).toBeUndefined()
  return paths
}

test('an order is looked for in the history as well, unless recent ones are enough', async () => {
  expect(await asked()).toEqual(['v5/order/realtime', 'v5/order/history'])
  expect(await asked('recent')).toEqual(['v5/order/realtime'])
})
