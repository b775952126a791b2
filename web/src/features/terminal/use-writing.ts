import type { RefObject } from 'react'
import { useStore } from 'react-redux'
import type { EditorHandle } from '../../ui/editor/message-editor.tsx'
import type { WithTerminal } from './send-alone.ts'
import { emptyTemplate } from './templates.ts'
import { botLinked, botSelected, messageChanged, selectMessage } from './terminal-slice.ts'

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
