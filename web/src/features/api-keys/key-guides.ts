import type { KeyValues } from './key-values.ts'

/** The making of an API key at one exchange. */
export interface KeyGuide {
  /** The page of the exchange. */
  url: string
  /** The permissions that orders need, as the form there names them. */
  permissions: readonly string[]
  /** A condition of the exchange, to be known before the key is made. */
  note?: string
}

type KeyMarket = Pick<KeyValues, 'exchange' | 'market_type' | 'is_testnet'>

/** Returns how an API key of this market is made; undefined where none is needed. */
export function keyGuideOf(market: KeyMarket): KeyGuide | undefined {
  switch (market.exchange) {
    case 'bybit':
      return bybitGuide(market)
    case 'binance':
      return binanceGuide(market)
    case 'okx':
      return okxGuide(market)
    default:
      return undefined
  }
}

function bybitGuide({ market_type: market, is_testnet: isTestnet }: KeyMarket): KeyGuide {
  const host = isTestnet ? 'testnet.bybit.com' : 'www.bybit.com'
  return {
    url: `https://${host}/app/user/api-management`,
    permissions: ['Read-Write', market === 'spot' ? 'SPOT: Trade' : 'Contract: Orders and Positions'],
    // `expiredAt` of GET /v5/user/query-api is set for keys without an address alone.
    note: 'At Bybit a key that is not restricted to IP addresses expires after three months.',
  }
}

function okxGuide({ market_type: market, is_testnet: isTestnet }: KeyMarket): KeyGuide {
  const mode = market === 'spot' ? 'Spot or Futures' : 'Futures'
  const account = `The account has to be in ${mode} mode${market === 'spot' ? '' : ', with net positions'}.`
  const demo = 'The testnet is demo trading: make the key there, under Demo Trading API.'
  return {
    url: 'https://www.okx.com/account/my-api',
    permissions: ['Read', 'Trade'],
    note: isTestnet ? `${account} ${demo}` : account,
  }
}

function binanceGuide({ market_type: market, is_testnet: isTestnet }: KeyMarket): KeyGuide {
  if (market === 'futures_usdt')
    return {
      url: 'https://testnet.binancefuture.com',
      permissions: [],
      note: 'The testnet shows the key below its chart, under API Key. It has no permissions to choose.',
    }
  if (isTestnet)
    return {
      url: 'https://testnet.binance.vision',
      permissions: ['TRADE, USER_DATA, USER_STREAM'],
      note: 'The testnet asks for a GitHub account. Choose a generated HMAC key.',
    }
  return {
    url: 'https://www.binance.com/en/my/settings/api-management',
    permissions: ['Enable Reading', 'Enable Spot & Margin Trading'],
    note: 'Binance offers trading only for a key that is restricted to trusted addresses.',
  }
}
