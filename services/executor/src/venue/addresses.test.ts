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
    const address = { rest: `${paperUrl}/binance-futures`, stream: socket, orders: socket }
    expect(addressOf(live, 'paper_futures', 'mainnet')).toEqual(address)
    expect(addressOf(live, 'paper_futures', 'testnet')).toEqual(address)
  })

  test('of every market is the paper exchange where that is asked for', () => {
    const settings = { ...live, venues: 'paper' } as const
    expect(addressOf(settings, 'bybit', 'mainnet').rest).toBe(`${paperUrl}/bybit`)
    expect(addressOf(settings, 'binance_spot', 'testnet').stream).toBe('ws://paper:8090/binance')
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
