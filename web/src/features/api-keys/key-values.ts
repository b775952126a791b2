import { tidyLabel } from '@tripline/proto/user-config'
import type { CreateKeyApiArg, UpdateKeyApiArg } from '../../shared/client.ts'
import { firstMarket, isTestnetOnly } from './exchange-options.ts'

/** The values of a key's form. */
export interface KeyValues {
  label: string
  exchange: string
  market_type: string
  api_key: string
  api_secret: string
  api_passphrase: string
  is_testnet: boolean
  notify_on_trade: boolean
  notify_on_error: boolean
  notify_on_fill: boolean
}

/** Returns the first values of a new key, on this exchange. */
export function newKeyValues(exchange = 'bybit'): KeyValues {
  return {
    label: '',
    exchange,
    market_type: firstMarket(exchange),
    api_key: '',
    api_secret: '',
    api_passphrase: '',
    is_testnet: false,
    notify_on_trade: true,
    notify_on_error: true,
    notify_on_fill: false,
  }
}

/**
 * Returns the changes that follow from these: the market changes with the exchange, and the network with the market.
 */
export function followingValues(changed: Partial<KeyValues>, values: KeyValues): Partial<KeyValues> {
  const market_type = changed.exchange === undefined ? values.market_type : firstMarket(changed.exchange)
  const moved = changed.exchange !== undefined || changed.market_type !== undefined
  if (!moved) return {}
  return { market_type, is_testnet: isTestnetOnly(values.exchange, market_type) }
}

/** Whether another bot has this label; labels differ in more than their case and their blanks. */
export function isLabelTaken(label: string, others: readonly string[]): boolean {
  const wanted = tidyLabel(label).toLowerCase()
  return others.some((other) => tidyLabel(other).toLowerCase() === wanted)
}

/** Returns the body that creates the key; blanks that came with a paste are gone. */
export function createBody(values: KeyValues): CreateKeyApiArg {
  const { label, exchange, market_type, api_key, api_secret, api_passphrase, is_testnet, ...notifications } =
    values
  const shared = {
    label: tidyLabel(label),
    ...marketChoiceOf(exchange, market_type),
    is_testnet,
    ...notifications,
  }
  if (exchange === 'paper') return { ...shared, is_testnet: false }
  const credentials = { api_key: api_key.trim(), api_secret: api_secret.trim() }
  return exchange === 'okx'
    ? { ...shared, ...credentials, api_passphrase: api_passphrase.trim() }
    : { ...shared, ...credentials }
}

/** Returns the body that changes the key: the rest of it never changes. */
export function updateBody(values: KeyValues): UpdateKeyApiArg['body'] {
  const { label, exchange, market_type, notify_on_trade, notify_on_error, notify_on_fill } = values
  const { market_type: market } = marketChoiceOf(exchange, market_type)
  return { label: tidyLabel(label), market_type: market, notify_on_trade, notify_on_error, notify_on_fill }
}

type MarketChoice = Required<Pick<CreateKeyApiArg, 'exchange' | 'market_type'>>

// The form offers what cannot be chosen yet only disabled, so what was chosen is what the API knows.
function marketChoiceOf(exchange: string, market: string): MarketChoice {
  return { exchange, market_type: market } as MarketChoice
}
