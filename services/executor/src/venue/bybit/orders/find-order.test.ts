import { expect, test } from '@jest/globals'
import type { LookUpDepth } from '../../../domain/order/order.ts'
import type { RestClient } from '../rest-client.ts'
import { createOrderFinder } from './find-order.ts'

const ref = { symbol: 'BTCUSDT', clientOrderId: 't1', isConditional: false }

/** Returns the requests that look for an order that the venue does not show. */
async function asked(depth?: LookUpDepth, executions: unknown[] = []): Promise<string[]> {
  const paths: string[] = []
  const get: RestClient['get'] = async (path) => {
    paths.push(path)
    return { retCode: 0, result: { list: path === '/v5/execution/list' ? executions : [] } }
  }
  expect(await createOrderFinder({ category: 'linear', get }, () => 'USDT').find(ref, depth)).toBeUndefined()
  return paths
}

test('an order is looked for in the history as well, and among executions where it has to be missing everywhere', async () => {
  expect(await asked()).toEqual(['/v5/order/realtime', '/v5/order/history'])
  expect(await asked('everywhere')).toEqual(['/v5/order/realtime', '/v5/order/history', '/v5/execution/list'])
})

test('an order of which there are executions is not absent, though nothing shows it', async () => {
  await expect(asked('everywhere', [{ orderLinkId: 't1' }])).rejects.toThrow('executions')
})
