import type { Closers } from '@tripline/testkit/closers'
import type { TestPaper } from '@tripline/testkit/paper-exchange'
import { bybitDialect, type Endpoint } from '../../services/executor/src/venue/bybit/endpoint.ts'
import { createOrderFinder } from '../../services/executor/src/venue/bybit/orders/find-order.ts'
import { linearFields } from '../../services/executor/src/venue/bybit/orders/order-fields.ts'
import { createPlace } from '../../services/executor/src/venue/bybit/orders/place.ts'
import { openRestClient } from '../../services/executor/src/venue/bybit/rest-client.ts'
import { createFollowing } from '../../services/executor/src/venue/bybit/stream/following.ts'
import { endpointAt } from '../../services/executor/src/venue/endpoint.ts'
import type { VenueOptions } from '../../services/executor/src/venue/venue.ts'
import { newAccount, type OrderEntries, renewableConnections, type Trading } from './accounts.ts'

/** So many accounts at Bybit linear, each with a socket that is logged in once, and its private stream. */
export async function tradeOnBybit(
  at: { paper: TestPaper; url: string; accounts: number },
  closers: Closers,
): Promise<Trading> {
  const baseUrl = `${at.url}/bybit`
  const connections = renewableConnections()
  await closers.add(connections.close)
  const endpoint: Endpoint = await endpointAt(connections, baseUrl, bybitDialect)
  const accounts: (OrderEntries & { isOnSocket: () => boolean })[] = []
  for (let index = 0; index < at.accounts; index++) {
    const account = await newAccount(at.paper, baseUrl, connections)
    accounts.push(await entriesOf(account, endpoint, closers))
  }
  const warm = async (count: number) => await connections.renew(`${baseUrl}/v5/market/time`, count)
  const isOnSockets = () => accounts.every(({ isOnSocket }) => isOnSocket())
  return { market: 'Bybit linear', accounts, quantity: '0.010', warm, isOnSockets, restMs: 14 }
}

async function entriesOf(options: VenueOptions, endpoint: Endpoint, closers: Closers) {
  const { streamUrl, log } = options
  const restClient = openRestClient(options, 'linear', endpoint)
  const overSocket = openRestClient({ ...options, ordersUrl: streamUrl }, 'linear', endpoint)
  await closers.add(async () => overSocket.orderSocket?.stop())
  const feeCoinOf = () => 'USDT'
  const finder = createOrderFinder(restClient, feeCoinOf)
  const feed = createFollowing({ streamUrl, log, restClient, finder, feeCoinOf, timing: undefined })
  const { promise: isLive, resolve } = Promise.withResolvers<void>()
  const stop = feed.follow(({ kind }) => kind === 'gap' && resolve())
  await closers.add(async () => stop())
  await isLive
  const sources = { feed, finder }
  return {
    rest: createPlace(restClient, sources, linearFields),
    socket: createPlace(overSocket, sources, linearFields),
    isOnSocket: () => overSocket.orderSocket?.isGood() === true,
  }
}
