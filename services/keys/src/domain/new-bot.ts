import { type Exchange, exchangeMarketOf, type MarketType } from '@tripline/proto/exchange'
import type { FieldFault } from '@tripline/proto/request'

/** A bot that somebody wants to link. */
export interface WantedBot {
  exchange: Exchange
  marketType: MarketType
  isTestnet: boolean
  hasCredentials: boolean
}

/** Everything that keeps this bot from being linked; empty when nothing does. */
export function faultsOfNewBot(
  { exchange, marketType, isTestnet, hasCredentials }: WantedBot,
  { allowMainnetFutures }: { allowMainnetFutures: boolean },
): FieldFault[] {
  const faults: FieldFault[] = []
  const market = exchangeMarketOf(exchange, marketType)
  if (market === undefined) {
    faults.push({ field: 'marketType', message: `${exchange} has no market type ${marketType}` })
  }
  if (market === 'binance_futures_usdt' && !isTestnet && !allowMainnetFutures) {
    faults.push({ field: 'isTestnet', message: 'Binance futures are available on the testnet only' })
  }
  if (exchange !== 'paper' && !hasCredentials) {
    faults.push({ field: 'credentials', message: 'API credentials are required' })
  }
  return faults
}

/** Everything that keeps a linked bot from trading on this market; what can be changed about it is the market only. */
export function faultsOfMarket(
  bot: Omit<WantedBot, 'hasCredentials'>,
  rules: { allowMainnetFutures: boolean },
): FieldFault[] {
  const faults = faultsOfNewBot({ ...bot, hasCredentials: true }, rules)
  return faults.map(({ message }) => ({ field: 'marketType', message }))
}
