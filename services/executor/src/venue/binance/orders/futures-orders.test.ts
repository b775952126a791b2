import { expect, test } from '@jest/globals'
import { RefusalError } from '../../http/refusal.ts'
import type { RestClient } from '../../http/rest-client.ts'
import { createFuturesOrders } from './futures-orders.ts'

const symbol = 'BTCUSDT'
const ref = { symbol, clientOrderId: 'ours', venueOrderId: '7', isConditional: true }
const algo = { algoId: 7, clientAlgoId: 'ours', side: 'SELL', quantity: '0.01', algoStatus: 'NEW' }

/** Looks for a conditional order that one path alone shows; returns what was found, and the requests. */
async function lookedFor(shownAt: string, order: object | undefined) {
  const requests: [path: string, fields: object | undefined][] = []
  const get: RestClient['get'] = async (path, fields) => {
    requests.push([path.replace('/fapi/v1/', ''), fields])
    if (path.endsWith('AlgoOrders')) return path.endsWith(shownAt) ? [order] : []
    if (path.endsWith(`/${shownAt}`)) return order
    throw new RefusalError({ code: -2013, text: 'Order does not exist.', status: 400 })
  }
  const { find } = createFuturesOrders({ get } as RestClient)
  return { found: await find(ref, 'lookUp').catch(() => undefined), requests }
}

// An order that lives was answered with -2013 by its algoId, and openAlgoOrders had it: measured by others on 2026-09-19.
test('a conditional order is asked for by the name that we gave it', async () => {
  const { found, requests } = await lookedFor('algoOrder', algo)
  expect(found).toMatchObject({ venueOrderId: '7', status: 'untriggered' })
  expect(requests).toEqual([['algoOrder', { symbol, clientAlgoId: 'ours' }]])
})

// Finished ones are in allAlgoOrders alone (nautilus_trader #4449).
test.each([
  ['openAlgoOrders', 'NEW', 'untriggered'],
  ['allAlgoOrders', 'CANCELED', 'canceled'],
])('a conditional order that is shown in %s alone is found', async (list, algoStatus, status) => {
  expect((await lookedFor(list, { ...algo, algoStatus })).found).toMatchObject({ venueOrderId: '7', status })
})

test('a conditional order that no list has is looked for as what it became, and is absent then', async () => {
  const { found, requests } = await lookedFor('nowhere', undefined)
  expect(found).toBeUndefined()
  expect(requests.map(([path]) => path)).toEqual(['algoOrder', 'openAlgoOrders', 'allAlgoOrders', 'order'])
  expect(requests.at(-1)).toEqual(['order', { symbol, origClientOrderId: 'ours' }])
})
