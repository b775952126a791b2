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

const noKeys: readonly KeyView[] = []

/** The person's bots, as far as they are loaded; the same array until they change. */
export function useBots(): readonly Bot[] {
  const { data: keys = noKeys } = useListKeysQuery()
  return useMemo(() => keys.map(botOf), [keys])
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
