import { expect, test } from '@jest/globals'
import { findMarket, type Market } from '../../domain/market.ts'
import type { OrderRequest } from '../../domain/order.ts'
import { createExchange } from '../../exchange.ts'
import { createLedger } from '../../store/ledger.ts'
import { createQuotes } from '../../store/quotes.ts'
import { forgetful } from '../../store/state-file.ts'
import { createDeadlines, type Deadlines, watchAllGoodTill, watchGoodTill } from './deadlines.ts'

const NOW = 1_800_000_000_000

const GOOD_TILL: Omit<OrderRequest, 'market'> = {
  clientOrderId: 'good-till',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  quantity: 1_000n,
  price: 100_000n,
  reduceOnly: false,
  positionSide: 'net',
  words: { timeInForce: 'GTD', goodTillDate: String(NOW + 100 * 365 * 86_400_000) },
}

function bitcoin(): Market {
  const market = findMarket('binance-futures', 'BTCUSDT')
  if (!market) throw new Error('there is no such market')
  return market
}

/** Deadlines that list which of them are waited for. */
function openDeadlines(): Deadlines & { waiting: Set<string> } {
  const [{ set, drop, stop }, waiting] = [createDeadlines(() => NOW), new Set<string>()]
  return {
    waiting,
    set: (name, ...more) => {
      waiting.add(name)
      set(name, ...more)
    },
    drop: (name) => {
      waiting.delete(name)
      drop(name)
    },
    stop,
  }
}

test('an order that has ended waits for its date no more', () => {
  const exchange = createExchange(createLedger(), createQuotes({}), forgetful.writer)
  const entry = exchange.open(new Map([['USDT', 10_000_000_000_000n]]), NOW)
  const deadlines = openDeadlines()
  watchAllGoodTill(deadlines, exchange)
  const placed = exchange.place(entry, { ...GOOD_TILL, market: bitcoin().id }, NOW)
  if ('refusal' in placed) throw new Error(placed.refusal)
  watchGoodTill(deadlines, exchange, entry, placed.order)
  expect([...deadlines.waiting]).toEqual([`good till ${placed.order.id}`])
  exchange.cancel(entry, placed.order, NOW)
  expect([...deadlines.waiting]).toEqual([])
  deadlines.stop()
})
