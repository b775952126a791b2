import type { KeyView } from '@tripline/proto/http/key'
import { useEffect } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { onlyBotFound, selectLabel } from './terminal-slice.ts'

/** Selects the bot of a person who has one; what is written stays. */
export function useOnlyBot(keys: readonly KeyView[] | undefined): void {
  const dispatch = useDispatch()
  const selected = useSelector(selectLabel)
  const only = keys?.length === 1 ? keys[0]?.label : undefined
  useEffect(() => {
    if (selected === null && only !== undefined) dispatch(onlyBotFound(only))
  }, [selected, only, dispatch])
}
