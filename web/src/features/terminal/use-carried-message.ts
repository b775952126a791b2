import { readAlert } from '@tripline/proto/language/formats/read-alert'
import { useEffect } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { useLocation, useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { carriedNamed, messageCarried, selectCarried } from './terminal-slice.ts'
import { useKnownBots } from './use-bots.ts'

const Carried = z.object({ message: z.string(), isQuickAction: z.boolean().optional() })

/** Puts a message that another screen brought along into the editor, and selects its bot; it is not sent. */
export function useCarriedMessage(): void {
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const dispatch = useDispatch()
  useEffect(() => {
    const carried = Carried.safeParse(state).data
    if (carried === undefined) return
    dispatch(messageCarried(carried))
    // Taken, so that it comes neither again when somebody comes back here, nor over what is written by then.
    void navigate(pathname, { replace: true, state: null })
  }, [state, dispatch, navigate, pathname])
  useBotOfCarried()
}

/** Selects the bot of a carried message as soon as the bots are known. */
function useBotOfCarried(): void {
  const dispatch = useDispatch()
  const message = useSelector(selectCarried)
  const bots = useKnownBots()
  useEffect(() => {
    if (message === null || bots === undefined) return
    const [label] = readAlert(message, 'tripline', bots).named
    dispatch(carriedNamed(label))
  }, [message, bots, dispatch])
}
