import type { KeyView } from '@tripline/proto/http/key'
import type { KnownBot } from '@tripline/proto/language/label'
import { useEffect, useMemo } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { useListKeysQuery } from '../../shared/client.ts'
import { knownBot } from '../../shared/known-bot.ts'
import { type Network, networkOf } from './network.ts'
import { offeredBot } from './offered-bot.ts'
import { botOffered, selectLabel } from './terminal-slice.ts'

/** A bot as the terminal knows it. */
interface Bot extends KnownBot {
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
  return { ...knownBot(key), network: networkOf(key), exchange: key.exchange }
}

/** Selects the bot of a person who has one that can trade, until they select one; what is written stays. */
export function useOnlyBot(keys: readonly KeyView[] | undefined): void {
  const dispatch = useDispatch()
  const selected = useSelector(selectLabel)
  const offered = keys && offeredBot(keys, selected)
  useEffect(() => {
    if (offered !== undefined) dispatch(botOffered(offered))
  }, [offered, dispatch])
}
