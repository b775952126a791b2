import { useEffect } from 'react'
import { useGetMeQuery } from '../shared/client.ts'
import { takeUpDraft } from './kept-draft.ts'

/** Takes up what the person left in the terminal, as soon as it is known who that is. */
export function useKeptDraft(): void {
  const { data: me } = useGetMeQuery()
  const userId = me?.id
  useEffect(() => {
    if (userId !== undefined) takeUpDraft(userId)
  }, [userId])
}
