import { type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { texts } from '../../shared/texts.ts'
import { messageChanged, selectMessage } from './terminal-slice.ts'

const rows = 7

export interface EditorHandle {
  /** Moves the keyboard into the editor, with the cursor at this place. */
  focus(offset: number): void
}

/** Where a message is written; Ctrl+Enter executes it. */
export function MessageEditor({ ref, onExecute }: { ref: Ref<EditorHandle>; onExecute: () => void }) {
  const message = useSelector(selectMessage)
  const dispatch = useDispatch()
  const area = useRef<HTMLTextAreaElement>(null)
  const [cursor, setCursor] = useState<{ offset: number }>()
  useImperativeHandle(ref, () => ({ focus: (offset) => setCursor({ offset }) }), [])
  useLayoutEffect(() => {
    if (cursor === undefined) return
    area.current?.focus()
    area.current?.setSelectionRange(cursor.offset, cursor.offset)
  }, [cursor])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onExecute()
  }
  return (
    <textarea
      ref={area}
      className="message-editor"
      rows={rows}
      aria-label={texts.terminal.editor}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      placeholder={texts.terminal.editorHint}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      value={message}
      onChange={(event) => dispatch(messageChanged(event.target.value))}
      onKeyDown={onKeyDown}
    />
  )
}
