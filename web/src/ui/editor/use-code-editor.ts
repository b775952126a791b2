import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CodeEditor, CodeEditorOptions } from './code-editor.ts'
import type { Vocabulary } from './complete-message.ts'

interface CodeEditorUse {
  box: RefObject<HTMLElement | null>
  /** The plain text area whose place the editor takes. */
  area: RefObject<HTMLTextAreaElement | null>
  message: string
  onChange: (message: string) => void
  vocabulary: Vocabulary
  onExecute: () => void
  label: string
  hint: string
  describedBy: string
}

type Opening = (options: CodeEditorOptions) => CodeEditor

/** The editor that knows the language, once it is loaded; it goes on where the person was in the text area. */
export function useCodeEditor(use: CodeEditorUse): CodeEditor | undefined {
  const { message, vocabulary, hint } = use
  const [editor, setEditor] = useState<CodeEditor>()
  const changed = useEffectEvent(use.onChange)
  const executed = useEffectEvent(use.onExecute)
  const open = useEffectEvent((openEditor: Opening) => {
    const { box, area, label, describedBy } = use
    if (box.current === null) return undefined
    return openEditor({
      parent: box.current,
      selection: selectionOf(area.current),
      ...{ message, vocabulary, label, hint, describedBy },
      onChange: (next) => changed(next),
      onExecute: () => executed(),
    })
  })
  useEffect(() => {
    let opened: CodeEditor | undefined
    let isLeft = false
    async function load() {
      const { openCodeEditor } = await import('./code-editor.ts')
      if (isLeft) return
      // At once, so that there is never more than one of the two to write in.
      flushSync(() => {
        opened = open(openCodeEditor)
        setEditor(opened)
      })
    }
    // An editor that cannot be loaded leaves the text area, with which everything can be done, too.
    load().catch(() => undefined)
    return () => {
      isLeft = true
      opened?.close()
    }
  }, [])
  useLayoutEffect(() => editor?.show(message), [editor, message])
  useLayoutEffect(() => editor?.know(vocabulary), [editor, vocabulary])
  useLayoutEffect(() => editor?.suggest(hint), [editor, hint])
  return editor
}

function selectionOf(area: HTMLTextAreaElement | null): { anchor: number; head: number } | undefined {
  if (area === null || document.activeElement !== area) return undefined
  return { anchor: area.selectionStart, head: area.selectionEnd }
}
