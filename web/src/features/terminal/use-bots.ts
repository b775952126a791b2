import type { KeyView } from '@tripline/proto/http/key'
import type { KnownBot } from '@tripline/proto/language/label'
import { useMemo } from 'react'
import { useListKeysQuery } from '../../shared/client.ts'
import { type Network, networkOf } from './network.ts'

/** A bot as the terminal knows it. */
export interface Bot extends KnownBot {
  network: Network
  exchange: string
}

const noBots: readonly Bot[] = []

/** The person's bots, as far as they are loaded; the same array until they change. */
export function useBots(): readonly Bot[] {
  return useKnownBots() ?? noBots
}

/** The same, but undefined as long as nobody knows them: then nothing may be said of a bot that is not among them. */
export function useKnownBots(): readonly Bot[] | undefined {
  const { data: keys } = useListKeysQuery()
  return useMemo(() => keys?.map(botOf), [keys])
}

/** The labels of the person's bots. */
export function useBotLabels(): readonly string[] {
  const bots = useBots()
  return useMemo(() => bots.map(({ label }) => label), [bots])
}

function botOf(key: KeyView): Bot {
  const market = key.market_type === 'spot' ? 'spot' : 'futures'
  return { label: key.label, market, network: networkOf(key), exchange: key.exchange }
}
