import { readAlert } from '@tripline/proto/language/formats/read-alert'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { useDispatch, useSelector, useStore } from 'react-redux'
import { useLocation, useNavigate } from 'react-router-dom'
import { z } from 'zod'
import type { EditorHandle } from '../../ui/editor/message-editor.tsx'
import type { WithTerminal } from './send-alone.ts'
import { emptyTemplate } from './templates.ts'
import {
  botLinked,
  botSelected,
  carriedNamed,
  messageCarried,
  messageChanged,
  selectCarried,
  selectMessage,
} from './terminal-slice.ts'
import { useKnownBots } from './use-bots.ts'

export type Writing = ReturnType<typeof useWriting>

/** Returns the actions on the message besides typing. */
export function useWriting(editor: RefObject<EditorHandle | null>) {
  const store = useStore<WithTerminal>()
  const change = (text: string) => void store.dispatch(messageChanged(text))
  const visit = (offset: number) => editor.current?.focus(offset)
  return {
    change,
    visit,
    replace: (text: string) => {
      change(text)
      visit(text.length)
    },
    selectBot: (label: string, byPointer: boolean) => {
      const { message, bodyOffset } = emptyTemplate(label)
      store.dispatch(botSelected({ label, message }))
      if (byPointer) visit(bodyOffset)
    },
    addBot: (label: string) => {
      const { message, bodyOffset } = emptyTemplate(label)
      store.dispatch(botLinked({ label, message }))
      const written = selectMessage(store.getState())
      visit(written === message ? bodyOffset : written.length)
    },
  }
}

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

const ToWrite = z.object({ isWriting: z.literal(true) })

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
    if (ToWrite.safeParse(state).success) begin()
  }, [state])
}
