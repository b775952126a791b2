import { describe, expect, test } from '@jest/globals'
import { AddressBook, addressOf } from './addresses.ts'

const paperUrl = 'http://paper:8090'
const live = { paperUrl, venues: 'live', book: {} } as const

describe('an address', () => {
  test('is that of the network a bot is on', () => {
    expect(addressOf(live, 'binance_spot', 'mainnet').rest).toBe('https://api.binance.com')
    expect(addressOf(live, 'binance_spot', 'testnet').rest).toBe('https://testnet.binance.vision')
  })

  test('of Paper is the paper exchange, on both networks', () => {
    const socket = 'ws://paper:8090/binance-futures'
    const address = { rest: `${paperUrl}/binance-futures`, stream: socket, orders: socket, prices: socket }
    expect(addressOf(live, 'paper_futures', 'mainnet')).toEqual(address)
    expect(addressOf(live, 'paper_futures', 'testnet')).toEqual(address)
  })

  test('of every market is the paper exchange where that is asked for', () => {
    const settings = { ...live, venues: 'paper' } as const
    expect(addressOf(settings, 'bybit', 'mainnet').rest).toBe(`${paperUrl}/bybit`)
    expect(addressOf(settings, 'binance_spot', 'testnet').stream).toBe('ws://paper:8090/binance')
  })

  test('of the socket for orders is never one of another network than the requests go to', () => {
    const rest = 'https://demo-fapi.example'
    const book = AddressBook.parse({ binance_futures_usdt: { testnet: { rest } } })
    expect(addressOf(live, 'binance_futures_usdt', 'testnet').orders).toBe('wss://testnet.binancefuture.com')
    expect(addressOf({ ...live, book }, 'binance_futures_usdt', 'testnet').orders).toBeUndefined()
    const orders = 'wss://orders.example'
    const both = AddressBook.parse({ binance_futures_usdt: { testnet: { rest, orders } } })
    expect(addressOf({ ...live, book: both }, 'binance_futures_usdt', 'testnet').orders).toBe(orders)
  })

  test('of prices is never one of another network than the requests go to', () => {
    const rest = 'https://demo-api.example'
    const book = AddressBook.parse({ binance_spot: { testnet: { rest } } })
    expect(addressOf(live, 'binance_spot', 'testnet').prices).toBe('wss://stream.testnet.binance.vision')
    expect(addressOf({ ...live, book }, 'binance_spot', 'testnet').prices).toBeUndefined()
    const prices = 'wss://demo-stream.example'
    const both = AddressBook.parse({ binance_spot: { testnet: { rest, prices } } })
    expect(addressOf({ ...live, book: both }, 'binance_spot', 'testnet').prices).toBe(prices)
  })

  test('can be another one, also in part', () => {
    const book = AddressBook.parse({ bybit: { testnet: { rest: 'https://api-demo.bybit.com' } } })
    expect(addressOf({ ...live, book }, 'bybit', 'testnet')).toEqual({
      rest: 'https://api-demo.bybit.com',
      stream: 'wss://stream-testnet.bybit.com',
    })
    expect(addressOf({ ...live, book }, 'bybit', 'mainnet').rest).toBe('https://api.bybit.com')
  })
})
