import { z } from 'zod'
import type { EndpointDialect, Endpoint as EndpointOf, PricedEndpoint } from '../endpoint.ts'
import type { MarketPrices } from '../prices/market-prices.ts'
import { Whole } from '../read/read-fields.ts'
import {
  type AddressUsage,
  budgetLeft,
  createAddressUsage,
  heedAddress,
  isBanned,
  refuseWhileBanned,
} from './limits.ts'
import type { SpotPrices } from './prices/spot-prices.ts'

/** An address of one of Binance's families of markets. */
export type Endpoint = EndpointOf<AddressUsage>
export type FuturesEndpoint = PricedEndpoint<AddressUsage, MarketPrices>
export type SpotEndpoint = PricedEndpoint<AddressUsage, SpotPrices>

const Time = z.object({ serverTime: Whole })

/** Binance's clock, limits and bans, by the path of its time. */
function dialectAt(timePath: string): EndpointDialect<AddressUsage> {
  return {
    timePath,
    readTime: (body) => Time.parse(JSON.parse(body)).serverTime,
    createUsage: createAddressUsage,
    heed: (usage, { statusCode: status, headers }) => heedAddress(usage, { status, headers }),
    isBanned,
    refuseWhileBanned,
    budgetLeft,
  }
}

export const spotDialect = dialectAt('/api/v3/time')
export const futuresDialect = dialectAt('/fapi/v1/time')
