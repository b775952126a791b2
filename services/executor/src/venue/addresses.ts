import { ExchangeMarket } from '@tripline/proto/exchange'
import { z } from 'zod'

/**
 * The addresses of a market: the beginnings of the paths of its requests, of its private stream, of its socket for
 * orders, if it has one, and of its public streams, if their address does not follow from the private one's.
 */
export const VenueAddress = z.object({
  rest: z.url(),
  stream: z.url(),
  orders: z.url().optional(),
  prices: z.url().optional(),
})
export type VenueAddress = z.infer<typeof VenueAddress>

/** The venue's real network, or the one where nothing is real. */
export const Network = z.enum(['mainnet', 'testnet'])
export type Network = z.infer<typeof Network>

/** The addresses of markets that differ from the usual ones, such as a testnet that is to be the demo network. */
export const AddressBook = z.partialRecord(ExchangeMarket, z.partialRecord(Network, VenueAddress.partial()))
export type AddressBook = z.infer<typeof AddressBook>

/** The addresses of Bybit, whose requests name the market. */
const bybitEndpoints: Record<Network, VenueAddress> = {
  mainnet: {
    rest: 'https://api.bybit.com',
    stream: 'wss://stream.bybit.com',
    prices: 'wss://stream.bybit.com',
    orders: 'wss://stream.bybit.com',
  },
  testnet: {
    rest: 'https://api-testnet.bybit.com',
    stream: 'wss://stream-testnet.bybit.com',
    prices: 'wss://stream-testnet.bybit.com',
    orders: 'wss://stream-testnet.bybit.com',
  },
}

/**
 * The addresses of OKX, whose requests name the market, and by a header the network ("Production Trading Services" and
 * "Demo Trading Services" of its documentation, 2026-06).
 */
const okxEndpoints: Record<Network, VenueAddress> = {
  mainnet: { rest: 'https://openapi.okx.com', stream: 'wss://ws.okx.com:8443' },
  testnet: { rest: 'https://openapi.okx.com', stream: 'wss://wspap.okx.com:8443' },
}

const usual: Partial<Record<ExchangeMarket, Record<Network, VenueAddress>>> = {
  binance_futures_usdt: {
    mainnet: {
      rest: 'https://fapi.binance.com',
      stream: 'wss://fstream.binance.com',
      orders: 'wss://ws-fapi.binance.com',
    },
    testnet: {
      rest: 'https://demo-fapi.binance.com',
      stream: 'wss://fstream.binancefuture.com',
      orders: 'wss://testnet.binancefuture.com',
    },
  },
  binance_spot: {
    mainnet: {
      rest: 'https://api.binance.com',
      stream: 'wss://ws-api.binance.com',
      orders: 'wss://ws-api.binance.com',
      prices: 'wss://stream.binance.com',
    },
    testnet: {
      rest: 'https://testnet.binance.vision',
      stream: 'wss://ws-api.testnet.binance.vision',
      orders: 'wss://ws-api.testnet.binance.vision',
      prices: 'wss://stream.testnet.binance.vision',
    },
  },
  bybit: bybitEndpoints,
  bybit_spot: bybitEndpoints,
  okx: okxEndpoints,
  okx_spot: okxEndpoints,
}

/** Under which path the paper exchange speaks a market's protocol. */
const paperPaths: Record<ExchangeMarket, string> = {
  binance_futures_usdt: '/binance-futures',
  binance_spot: '/binance',
  bybit: '/bybit',
  bybit_spot: '/bybit',
  okx: '/okx',
  okx_spot: '/okx',
  paper_futures: '/binance-futures',
  paper_spot: '/binance',
}

/** The addresses of venues, and whether all of them are to be the paper exchange. */
export interface AddressSettings {
  paperUrl: string
  venues: 'live' | 'paper'
  book: AddressBook
}

/** The address of a market on a network. Paper is always the paper exchange, and so is everything where it is asked for. */
export function addressOf(
  { paperUrl, venues, book }: AddressSettings,
  market: ExchangeMarket,
  network: Network,
): VenueAddress {
  const known = usual[market]?.[network]
  if (known !== undefined && venues === 'live') {
    const given = book[market]?.[network]
    // Orders go where the requests go, and prices come from there: a socket of another network would refuse the key, or
    // know it for something else, and has a market of its own.
    const { orders, prices } = given?.rest === undefined ? { ...known, ...given } : given
    return {
      rest: given?.rest ?? known.rest,
      stream: given?.stream ?? known.stream,
      ...(orders !== undefined && { orders }),
      ...(prices !== undefined && { prices }),
    }
  }
  const rest = `${paperUrl}${paperPaths[market]}`
  const stream = rest.replace(/^http/, 'ws')
  return { rest, stream, orders: stream, prices: stream }
}
