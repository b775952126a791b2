import type { Closers } from '@tripline/testkit/closers'
import type { TestPaper } from '@tripline/testkit/paper-exchange'
import type { VenueOrder } from '../../services/executor/src/domain/order/order.ts'
import { createExpectations } from '../../services/executor/src/venue/account/expectation.ts'
import { futuresCodes, spotCodes } from '../../services/executor/src/venue/binance/codes.ts'
import {
  type Endpoint,
  futuresDialect,
  spotDialect,
} from '../../services/executor/src/venue/binance/endpoint.ts'
import { createLimits } from '../../services/executor/src/venue/binance/limits.ts'
import { createSocketSender } from '../../services/executor/src/venue/binance/order-socket.ts'
import { readFuturesOrder } from '../../services/executor/src/venue/binance/orders/futures-answers.ts'
import { futuresFields } from '../../services/executor/src/venue/binance/orders/futures-fields.ts'
import { createPlace, type OrderEntry } from '../../services/executor/src/venue/binance/orders/place.ts'
import { readSpotOrder } from '../../services/executor/src/venue/binance/orders/spot-answers.ts'
import { spotFields } from '../../services/executor/src/venue/binance/orders/spot-fields.ts'
import { restDialect } from '../../services/executor/src/venue/binance/rest-dialect.ts'
import type { OrderUpdate } from '../../services/executor/src/venue/binance/stream/order-update.ts'
import { endpointAt } from '../../services/executor/src/venue/endpoint.ts'
import { createRestClient } from '../../services/executor/src/venue/http/rest-client.ts'
import type { Venue, VenueOptions } from '../../services/executor/src/venue/venue.ts'
import { newAccount, type OrderEntries, renewableConnections, type Trading } from './accounts.ts'

const nothingMore = {
  onPlaced: () => undefined,
  onRefused: () => undefined,
  complete: async (_symbol: string, order: VenueOrder) => order,
  expectOrder: createExpectations<OrderUpdate>().expect,
  isLive: () => false,
}

/** The differences between Binance's markets. */
const markets = {
  'Binance USDⓈ-M': {
    base: '/binance-futures',
    version: '/fapi/v1',
    dialect: futuresDialect,
    socketPath: '/ws-fapi/v1',
    quantity: '0.010',
    entry: {
      ...nothingMore,
      requestOf: (order) => ({ path: '/fapi/v1/order', fields: futuresFields(order) }),
      readOrder: readFuturesOrder,
      urgencyOf: () => 'entry',
      codes: futuresCodes,
    },
  },
  'Binance spot': {
    base: '/binance',
    version: '/api/v3',
    dialect: spotDialect,
    socketPath: '/ws-api/v3',
    quantity: '0.01000',
    entry: {
      ...nothingMore,
      requestOf: (order) => ({ path: '/api/v3/order', fields: spotFields(order) }),
      readOrder: readSpotOrder,
      urgencyOf: () => 'entry',
      codes: spotCodes,
    },
  },
} as const satisfies Record<string, BinanceMarket>

interface BinanceMarket {
  base: string
  version: string
  dialect: typeof spotDialect
  socketPath: string
  quantity: string
  entry: OrderEntry
}

/** So many accounts at a market of Binance, all of them on one socket: each request says whose it is. */
export async function tradeOnBinance(
  market: keyof typeof markets,
  at: { paper: TestPaper; url: string; accounts: number },
  closers: Closers,
): Promise<Trading> {
  const { base, version, dialect, socketPath, quantity, entry } = markets[market]
  const baseUrl = at.url + base
  const connections = renewableConnections()
  await closers.add(connections.close)
  const endpoint = await endpointAt(connections, baseUrl, dialect)
  const accounts: OrderEntries[] = []
  for (let index = 0; index < at.accounts; index++) {
    accounts.push(entriesOf(entry, await newAccount(at.paper, baseUrl, connections), endpoint, socketPath))
  }
  const warm = async (count: number) => await connections.renew(`${baseUrl}${version}/ping`, count)
  return { market, accounts, quantity, warm, isOnSockets: connections.orderSockets.areGood, restMs: 4 }
}

function entriesOf(
  entry: OrderEntry,
  options: VenueOptions,
  endpoint: Endpoint,
  socketPath: string,
): OrderEntries {
  const limits = createLimits(endpoint.usage, endpoint.now)
  const { streamUrl } = options
  const viaSocket = createSocketSender({ ...options, ordersUrl: streamUrl }, socketPath, endpoint, limits)
  const placeVia = (sender?: typeof viaSocket): Venue['place'] => {
    const dialect = restDialect(options.credentials, entry.codes, limits, sender)
    return createPlace(entry, createRestClient(options, endpoint, dialect))
  }
  return { rest: placeVia(), socket: placeVia(viaSocket) }
}
