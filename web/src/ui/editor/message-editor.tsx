import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Vocabulary } from './complete-message.ts'
import { editorTexts } from './editor-texts.ts'
import '../message-text.css'
import './message-editor.css'
import { useCodeEditor } from './use-code-editor.ts'

const rows = 7

/** The acts of an editor besides its message. */
export interface EditorHandle {
  /** Moves the keyboard into it, with the cursor at this place of the message that is shown next. */
  focus: (offset: number) => void
  /** Puts the message into its canonical form. */
  format: () => void
}

interface MessageEditorProps {
  ref?: Ref<EditorHandle>
  message: string
  onChange: (message: string) => void
  vocabulary: Vocabulary
  onExecute: () => void
  /** The editor's name. */
  label: string
  /** The text in it while it is empty. */
  hint: string
}

/** The field of a message: a text area at first, an editor that knows the language once that is loaded. */
export function MessageEditor({ ref, ...props }: MessageEditorProps) {
  const describedBy = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const editor = useCodeEditor({ ...props, area, box, describedBy })
  const [cursor, setCursor] = useState<{ offset: number }>()
  useImperativeHandle(
    ref,
    () => ({ focus: (offset) => setCursor({ offset }), format: () => editor?.format() }),
    [editor],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cursor moves when that is asked, not when the editor opens.
  useLayoutEffect(() => {
    if (cursor === undefined) return
    if (editor) editor.focus(cursor.offset)
    else focusArea(area.current, cursor.offset)
  }, [cursor])
  return (
    <div className="message-editor">
      <div ref={box} className="code-editor" />
      {editor === undefined && <PlainEditor {...props} area={area} describedBy={describedBy} />}
      <p id={describedBy} className="visually-hidden">
        {editorTexts.keys}
      </p>
    </div>
  )
}

function focusArea(area: HTMLTextAreaElement | null, offset: number): void {
  area?.focus()
  area?.setSelectionRange(offset, offset)
}

interface PlainEditorProps extends Omit<MessageEditorProps, 'ref' | 'vocabulary'> {
  area: RefObject<HTMLTextAreaElement | null>
  describedBy: string
}

function PlainEditor({ area, message, onChange, onExecute, label, hint, describedBy }: PlainEditorProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onExecute()
  }
  return (
    <textarea
      ref={area}
      rows={rows}
      aria-label={label}
      aria-describedby={describedBy}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      placeholder={hint}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      value={message}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
    />
  )
}
