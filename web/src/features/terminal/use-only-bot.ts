import type { KeyView } from '@tripline/proto/http/key'
import { useEffect } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { offeredBot } from './offered-bot.ts'
import { botOffered, selectLabel } from './terminal-slice.ts'

/** Selects the bot of a person who has one that can trade, until they select one; what is written stays. */
export function useOnlyBot(keys: readonly KeyView[] | undefined): void {
  const dispatch = useDispatch()
  const selected = useSelector(selectLabel)
  const offered = keys && offeredBot(keys, selected)
  useEffect(() => {
    if (offered !== undefined) dispatch(botOffered(offered))
  }, [offered, dispatch])
}
