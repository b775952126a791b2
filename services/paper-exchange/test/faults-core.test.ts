import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Credentials, call, type Paper, place, startPaper } from './paper.ts'

let paper: Paper
let owner: Credentials

beforeAll(async () => {
  paper = await startPaper()
})

afterEach(async () => {
  await paper.control('DELETE', 'faults')
  await paper.control('DELETE', 'prices/BTCUSDT')
})

afterAll(async () => await paper.stop())

async function arm(fault: object): Promise<void> {
  owner = await paper.open({ USDT: '100000' })
  const match = { apiKey: owner.apiKey }
  expect(await paper.control('POST', 'faults', { match, ...fault })).toMatchObject({ status: 201 })
}

const positions = async () => {
  const { body } = await paper.control('GET', `accounts/${owner.apiKey}`)
  return (body as { positions: { quantity: string }[] }).positions
}

describe('partial-fill', () => {
  test('gives a market order a part and lets the rest expire', async () => {
    await arm({ action: 'partial-fill', ratio: '0.25' })
    const { body } = await place(paper, owner, { quantity: '0.04' })
    expect(body).toMatchObject({ status: 'EXPIRED', executedQty: '0.010' })
    expect(await positions()).toMatchObject([{ quantity: '0.01' }])
  })

  test('lets the rest of a limit order rest, and fill once it is over', async () => {
    await arm({ action: 'partial-fill', ratio: '0.5', count: 1 })
    const limit = { type: 'LIMIT', timeInForce: 'GTC', price: '60100', quantity: '0.04' }
    expect((await place(paper, owner, limit)).body).toMatchObject({
      status: 'PARTIALLY_FILLED',
      executedQty: '0.020',
    })
    await paper.control('PUT', 'prices/BTCUSDT', { bid: '60000', ask: '60050' })
    expect(await positions()).toMatchObject([{ quantity: '0.04' }])
  })

  test('is counted by fills, not by requests', async () => {
    await arm({ action: 'partial-fill', ratio: '0.5', count: 1, match: { symbol: 'ETHUSDT' } })
    await place(paper, owner, { quantity: '0.04' })
    expect((await paper.control('GET', 'faults')).body).toMatchObject([{ left: 1 }])
    expect((await place(paper, owner, { symbol: 'ETHUSDT', quantity: '1' })).body).toMatchObject({
      executedQty: '0.500',
    })
    expect((await paper.control('GET', 'faults')).body).toMatchObject([{ left: 0 }])
  })
})

describe('a stop', () => {
  const protect = async () => {
    await place(paper, owner)
    const stop = {
      algoType: 'CONDITIONAL',
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'STOP_MARKET',
      quantity: '0.01',
      reduceOnly: 'true',
      triggerPrice: '59000',
      clientAlgoId: 'tStop',
    }
    expect(await call(paper, owner, 'POST', '/fapi/v1/algoOrder', stop)).toMatchObject({ status: 200 })
    return async () => {
      const { body } = await call(paper, owner, 'GET', '/fapi/v1/allAlgoOrders', { symbol: 'BTCUSDT' })
      return (body as { algoStatus: string }[]).at(-1)?.algoStatus
    }
  }
  const fall = async (to: number) =>
    await paper.control('PUT', 'prices/BTCUSDT', { bid: String(to), ask: String(to + 0.1) })

  test('closes its position where nothing is in its way', async () => {
    await arm({ action: 'stuck-trigger', match: { symbol: 'ETHUSDT' } })
    const status = await protect()
    await fall(58_900)
    expect(await status()).toBe('FINISHED')
    expect(await positions()).toEqual([])
  })

  test('that is stuck leaves its position unprotected until it is let go', async () => {
    await arm({ action: 'stuck-trigger' })
    const status = await protect()
    await fall(58_900)
    expect(await status()).not.toBe('FINISHED')
    expect(await positions()).toHaveLength(1)
    await paper.control('DELETE', 'faults')
    await fall(58_800)
    expect(await status()).toBe('FINISHED')
    expect(await positions()).toEqual([])
  })

  test('that is rejected at its trigger ends, and its position stays', async () => {
    await arm({ action: 'reject-at-trigger' })
    const status = await protect()
    await fall(58_900)
    expect(await status()).toBe('REJECTED')
    expect(await positions()).toHaveLength(1)
  })
})
