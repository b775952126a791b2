import { expect, test } from '@jest/globals'
import type { Exchange, MarketType } from '@tripline/proto/exchange'
import { faultsOfMarket, faultsOfNewBot, type WantedBot } from './new-bot.ts'

const testnetOnly = { allowMainnetFutures: false }
const fieldsOf = (bot: WantedBot, rules = testnetOnly): string[] =>
  faultsOfNewBot(bot, rules).map((fault) => fault.field)

test('each exchange takes the markets that it has and no other', () => {
  const pairs = (['bybit', 'binance', 'paper'] as const).flatMap((exchange: Exchange) =>
    (['futures', 'futures_usdt', 'spot'] as const).map((marketType: MarketType) => ({
      exchange,
      marketType,
    })),
  )
  const taken = pairs.filter(
    (pair) => fieldsOf({ ...pair, isTestnet: true, hasCredentials: true }).length === 0,
  )
  expect(taken.map(({ exchange, marketType }) => `${exchange} ${marketType}`)).toEqual([
    'bybit futures',
    'bybit spot',
    'binance futures_usdt',
    'binance spot',
    'paper futures',
    'paper spot',
  ])
})

test('Binance futures are for the testnet unless a setting allows more', () => {
  const bot = {
    exchange: 'binance',
    marketType: 'futures_usdt',
    isTestnet: false,
    hasCredentials: true,
  } as const
  expect(fieldsOf(bot)).toEqual(['isTestnet'])
  expect(fieldsOf(bot, { allowMainnetFutures: true })).toEqual([])
  expect(fieldsOf({ ...bot, marketType: 'spot' })).toEqual([])
})

test('only a Paper bot comes without credentials', () => {
  const bot = { marketType: 'spot', isTestnet: false, hasCredentials: false } as const
  expect(fieldsOf({ ...bot, exchange: 'paper' })).toEqual([])
  expect(fieldsOf({ ...bot, exchange: 'bybit' })).toEqual(['credentials'])
})

test('all faults are reported at once', () => {
  const bot = {
    exchange: 'bybit',
    marketType: 'futures_usdt',
    isTestnet: false,
    hasCredentials: false,
  } as const
  expect(fieldsOf(bot)).toEqual(['marketType', 'credentials'])
})

test('of a linked bot the only possible fault is that its market does not fit', () => {
  const bot = { exchange: 'binance', marketType: 'futures_usdt', isTestnet: false } as const
  expect(faultsOfMarket(bot, testnetOnly)).toEqual([
    { field: 'marketType', message: 'Binance futures are available on the testnet only' },
  ])
  expect(faultsOfMarket({ ...bot, isTestnet: true }, testnetOnly)).toEqual([])
})
