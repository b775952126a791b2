import { z } from 'zod'
import type { Product } from '../stack/product.ts'

const Account = z.object({ apiKey: z.string(), secret: z.string() })

/** Opens an account at the venue, as the product's paper exchange plays it. */
export async function newVenueAccount({ urls }: Product): Promise<z.infer<typeof Account>> {
  return Account.parse(await (await fetch(`${urls.paper}/control/accounts`, { method: 'POST' })).json())
}

interface BotMarket {
  exchange: 'binance' | 'bybit'
  market_type: 'spot' | 'futures'
}

/** Links a bot that the product takes for one on the exchange itself; in tests that is the paper exchange. */
export async function linkRealBot(
  product: Product,
  accessToken: string,
  label: string,
  market: BotMarket = { exchange: 'bybit', market_type: 'futures' },
): Promise<void> {
  const { apiKey, secret } = await newVenueAccount(product)
  const answer = await fetch(`${product.urls.web}/api/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      label,
      ...market,
      api_key: apiKey,
      api_secret: secret,
    }),
  })
  if (!answer.ok) throw new Error(`${label} is not linked: ${answer.status} ${await answer.text()}`)
}
