import { type CreateKeyApiArg, calls } from '@tripline/proto/http/calls'
import { paperControl } from '../paper-control.ts'
import type { Product } from '../stack/product.ts'
import { callApi } from './call-api.ts'

/** Links a bot that the product takes for one on the exchange itself; in tests that is the paper exchange. */
export async function linkRealBot(
  { urls }: Product,
  accessToken: string,
  label: string,
  market: Pick<CreateKeyApiArg, 'exchange' | 'market_type'> = { exchange: 'bybit', market_type: 'futures' },
): Promise<void> {
  const { apiKey, secret } = await paperControl(urls.paper).openAccount()
  const bot = { label, ...market, api_key: apiKey, api_secret: secret }
  await callApi(urls.web, calls.createKey(bot), { accessToken })
}
