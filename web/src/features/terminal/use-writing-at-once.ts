import { useEffect, useEffectEvent } from 'react'
import { useStore } from 'react-redux'
import { useLocation, useNavigate } from 'react-router-dom'
import { z } from 'zod'
import type { WithTerminal } from './send-alone.ts'
import { selectMessage } from './terminal-slice.ts'

const Writing = z.object({ isWriting: z.literal(true) })

/** Puts the cursor behind the message for a person who came to write. */
export function useWritingAtOnce(visit: (offset: number) => void): void {
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const store = useStore<WithTerminal>()
  const begin = useEffectEvent(() => {
    visit(selectMessage(store.getState()).length)
    // Taken, so that it does not come again when somebody comes back here.
    void navigate(pathname, { replace: true, state: null })
  })
  useEffect(() => {
    if (Writing.safeParse(state).success) begin()
  }, [state])
}
