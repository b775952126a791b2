import { useEffect } from 'react'
import { useGetMeQuery } from '../shared/client.ts'
import { accessToken } from '../shared/tokens.ts'
import { keepDraft, takeUpDraft } from './stored-draft.ts'

/** Takes up what the person left in the terminal, as soon as it is known who that is, and keeps it for the next page. */
export function useStoredDraft(): void {
  const { data: me } = useGetMeQuery()
  const userId = me?.id
  useEffect(() => {
    if (userId !== undefined) takeUpDraft(userId)
  }, [userId])
  useEffect(() => {
    // A person who has logged out leaves nothing.
    const keep = () => accessToken() !== null && keepDraft()
    window.addEventListener('pagehide', keep)
    return () => window.removeEventListener('pagehide', keep)
  }, [])
}
