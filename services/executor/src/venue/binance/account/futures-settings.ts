import { z } from 'zod'
import type { AccountSettings, SettingsOutcome } from '../../../domain/account/account.ts'
import { changeFailure, refusalIn } from '../../http/refusal.ts'
import type { RestClient } from '../../http/rest-client.ts'
import { Flag, readFrom, spare, Text } from '../../read/read-fields.ts'
import { createKnownSettings, type KnownSettings } from '../../settings/known-settings.ts'
import type { Venue } from '../../venue.ts'
import { alreadySo, futuresCodes } from '../codes.ts'
import { readRows } from '../read-rows.ts'

/** The settings of a USDⓈ-M account. */
export interface FuturesSettings extends KnownSettings {
  /** True where one margin stands for all coins of the account; undefined where that was not requested yet. */
  isMultiAssets: () => boolean | undefined
}

/** Settings that were not requested yet. */
export function createFuturesSettings({ get }: Pick<RestClient, 'get'>): FuturesSettings {
  let isMultiAssets: boolean | undefined
  const settings = createKnownSettings(async (symbol, urgency) => {
    const [account, symbols] = await Promise.all([
      get('/fapi/v1/accountConfig', {}, urgency),
      get('/fapi/v1/symbolConfig', { symbol }, urgency),
    ])
    const config = readFrom(source, AccountConfig, account)
    isMultiAssets = config.multiAssetsMargin
    return readSettings(symbol, config, symbols)
  })
  return { ...settings, isMultiAssets: () => isMultiAssets }
}

const source = { venue: 'binance-futures', call: 'accountConfig' } as const
const symbolSource = { venue: 'binance-futures', call: 'symbolConfig' } as const

/** GET /fapi/v1/accountConfig. */
const AccountConfig = z.object({
  dualSidePosition: Flag,
  multiAssetsMargin: spare('multiAssetsMargin', Flag, false),
})

/** GET /fapi/v1/symbolConfig of one symbol. */
const SymbolConfig = z.object({ symbol: Text, marginType: spare('marginType', Text, ''), leverage: Text })

function readSettings(
  symbol: string,
  { dualSidePosition }: z.output<typeof AccountConfig>,
  symbols: unknown,
): AccountSettings {
  const configs = readRows(symbols, (row) => readFrom(symbolSource, SymbolConfig, row))
  const config = configs.find((candidate) => candidate.symbol === symbol)
  if (config === undefined) throw new Error(`the exchange reports no settings of ${symbol}`)
  return {
    leverage: config.leverage,
    marginMode: config.marginType.toUpperCase() === 'ISOLATED' ? 'isolated' : 'cross',
    positionMode: dualSidePosition ? 'hedge' : 'oneWay',
  }
}

interface Change {
  name: keyof AccountSettings
  wanted: string
  path: string
  fields: Record<string, string>
}

/** The changing of settings, one after the other; the first one that is refused ends it. */
export function createChangeSettings(
  restClient: RestClient,
  settings: FuturesSettings,
): Venue['changeSettings'] {
  return async (symbol, wanted) => {
    const publisher: string[] = []
    let hasChanged = false
    settings.forget()
    for (const change of changesOf(symbol, wanted)) {
      const outcome = await changeOne(restClient, settings, symbol, change)
      if (outcome.outcome !== 'changed' && outcome.outcome !== 'unchanged') return outcome
      hasChanged ||= outcome.outcome === 'changed'
      publisher.push(outcome.note)
    }
    return { outcome: hasChanged ? 'changed' : 'unchanged', note: publisher.join(', ') }
  }
}

function changesOf(
  symbol: string,
  { positionMode, marginMode, leverage }: Partial<AccountSettings>,
): Change[] {
  const changes: (Change | undefined)[] = [
    positionMode && {
      name: 'positionMode',
      wanted: positionMode,
      path: '/fapi/v1/positionSide/dual',
      fields: { dualSidePosition: `${positionMode === 'hedge'}` },
    },
    marginMode && {
      name: 'marginMode',
      wanted: marginMode,
      path: '/fapi/v1/marginType',
      fields: { symbol, marginType: marginMode === 'cross' ? 'CROSSED' : 'ISOLATED' },
    },
    leverage === undefined
      ? undefined
      : { name: 'leverage', wanted: leverage, path: '/fapi/v1/leverage', fields: { symbol, leverage } },
  ]
  return changes.filter((change) => change !== undefined)
}

const words: Record<keyof AccountSettings, string> = {
  leverage: 'leverage',
  marginMode: 'margin mode',
  positionMode: 'position mode',
}

async function changeOne(
  restClient: RestClient,
  settings: FuturesSettings,
  symbol: string,
  { name, wanted, path, fields }: Change,
): Promise<SettingsOutcome> {
  const unchanged = { outcome: 'unchanged', note: `${words[name]} is ${wanted} already` } as const
  try {
    // The venue takes the leverage that it has without a word, and says of a margin mode that it has that positions or
    // orders were in the way, also where there are none (binance-connector-python #538, ccxt #28703).
    if ((await settings.of(symbol))[name] === wanted) return unchanged
    await restClient.send({ method: 'POST', path, fields }).finally(settings.forget)
    return { outcome: 'changed', note: `${words[name]} set to ${wanted}` }
  } catch (error) {
    return alreadySo.includes(refusalIn(error)?.code ?? 0) ? unchanged : changeFailure(error, futuresCodes)
  }
}
