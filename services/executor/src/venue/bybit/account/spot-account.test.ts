import { expect, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import type { Market } from '../../../domain/order/market.ts'
import type { VenueOrder } from '../../../domain/order/order.ts'
import { createSemaphore } from '../../account/account-slots.ts'
import type { OrderListener } from '../../account/order-updates.ts'
import type { AccountParts } from './category-account.ts'
import { listenerIn } from './category-updates.ts'
import { openSpotAccount } from './spot-account.ts'

const market = { symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' } as Market

function walletAnswer(btc: string, usdt: string): unknown {
  const coin = [
    { coin: 'BTC', walletBalance: btc, equity: btc, locked: '0' },
    { coin: 'USDT', walletBalance: usdt, equity: usdt, locked: '0' },
  ]
  return { retCode: 0, result: { list: [{ totalAvailableBalance: '', coin }] } }
}

const ticker = {
  retCode: 0,
  result: { list: [{ bid1Price: '60000', ask1Price: '60001', lastPrice: '60000' }] },
}

// As the first order of a bot may find it: the stream reports orders, and was not asked for the wallet yet.
test('a wallet that lacks an own fill is asked for again while the stream does not report it', async () => {
  const wallets = [walletAnswer('0', '10000'), walletAnswer('0', '10000'), walletAnswer('0.01998', '8800')]
  let asked = 0
  const get = async (path: string) => {
    if (path !== '/v5/account/wallet-balance') return ticker
    asked += 1
    return wallets.shift() ?? walletAnswer('0.01998', '8800')
  }
  let listener: OrderListener | undefined
  const account = openSpotAccount({
    options: { connections: {}, streamUrl: 'ws://paper.test', log: testLog('executor') },
    restClient: { endpoint: { now: () => 1000, slots: createSemaphore() }, get },
    markets: new Map([['BTCUSDT', market]]),
    subscribe: () => ({ stop: () => undefined }),
    listen: (given: OrderListener) => {
      listener = given
      return () => (listener = undefined)
    },
    shown: () => undefined,
  } as unknown as AccountParts)
  expect(await account.read(market, {})).toMatchObject({ position: '0' })
  const filled = { clientOrderId: 't1', side: 'buy', filled: '0.02', averagePrice: '60000', updatedAt: 1000 }
  if (listener !== undefined) listenerIn('spot', listener).onAnswer('BTCUSDT', filled as VenueOrder)
  expect(await account.read(market, {})).toMatchObject({ position: '0.01998' })
  expect(asked).toBe(3)
  account.stop?.()
  expect(listener).toBeUndefined()
})
