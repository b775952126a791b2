import { readAlert } from '@tripline/proto/language/formats/read-alert'
import { useEffect } from 'react'
import { useDispatch } from 'react-redux'
import { useLocation, useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { botSelected, messageChanged } from './terminal-slice.ts'
import { useBots } from './use-bots.ts'

const Carried = z.object({ message: z.string() })

/** Puts a message that another screen brought along into the editor, and selects its bot; it is not sent. */
export function useCarriedMessage(): void {
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const dispatch = useDispatch()
  const bots = useBots()
  const message = Carried.safeParse(state).data?.message
  useEffect(() => {
    if (message === undefined) return
    dispatch(messageChanged(message))
    if (bots.length === 0) return
    const [label] = readAlert(message, 'tripline', bots).named
    if (label !== undefined) dispatch(botSelected({ label, message }))
    // Taken, so that coming back here does not bring it again.
    void navigate(pathname, { replace: true, state: null })
  }, [message, bots, dispatch, navigate, pathname])
}
