import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder, tooltips } from '@codemirror/view'
import { contentNonce } from '../../shared/content-nonce.ts'
import type { Vocabulary } from './complete-message.ts'
import { documentText } from './document-offsets.ts'
import { editorTheme } from './editor-theme.ts'
import { formatMessage } from './format-message.ts'
import {
  broughtIn,
  editedMessage,
  messageField,
  vocabularyChanged,
  vocabularyField,
} from './message-field.ts'
import { messageLanguage } from './message-language.ts'
import { messageLint } from './message-lint.ts'

/** The options of an editor. */
export interface CodeEditorOptions {
  parent: HTMLElement
  message: string
  vocabulary: Vocabulary
  /** The name of the editor, spoken, and shown while it is empty. */
  label: string
  hint: string
  describedBy: string
  /** The cursor before, by offsets of the message; undefined if the keyboard was elsewhere. */
  selection: { anchor: number; head: number } | undefined
  onChange: (message: string) => void
  onExecute: () => void
}

/** An editor that is open. */
export interface CodeEditor {
  /** Shows this message unless it is there already; what stays the same keeps the cursor. */
  show: (message: string) => void
  know: (vocabulary: Vocabulary) => void
  /** Shows this while nothing is written. */
  suggest: (hint: string) => void
  /** Moves the keyboard into it, with the cursor at this offset. */
  focus: (offset: number) => void
  format: () => void
  close: () => void
}

const suggestion = new Compartment()

/** Opens an editor that knows the command language. */
export function openCodeEditor(options: CodeEditorOptions): CodeEditor {
  const { parent, message, vocabulary, selection } = options
  const view = new EditorView({
    parent,
    state: EditorState.create({ doc: documentText(message), extensions: extensionsOf(options) }),
  })
  view.dispatch({
    annotations: broughtIn.of(message),
    effects: vocabularyChanged.of(vocabulary),
    ...(selection && { selection }),
  })
  if (selection) view.focus()
  return {
    show: (next) => bringIn(view, next),
    know: (known) => view.dispatch({ effects: vocabularyChanged.of(known) }),
    suggest: (hint) => view.dispatch({ effects: suggestion.reconfigure(placeholder(hint)) }),
    focus: (offset) => {
      const anchor = Math.min(editedMessage(view.state).offsets.toDocument(offset), view.state.doc.length)
      view.dispatch({ selection: { anchor }, scrollIntoView: true })
      view.focus()
    },
    format: () => void format(view),
    close: () => view.destroy(),
  }
}

function extensionsOf({ label, hint, describedBy, onChange, onExecute }: CodeEditorOptions): Extension {
  const execute = () => {
    onExecute()
    return true
  }
  return [
    vocabularyField,
    messageField,
    EditorView.cspNonce.of(contentNonce()),
    editorTheme,
    EditorView.lineWrapping,
    history(),
    messageLanguage(),
    messageLint(),
    suggestion.of(placeholder(hint)),
    // The editor's own box may be smaller than what it has to say.
    tooltips({ parent: document.getElementById('overlays') ?? document.body }),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': describedBy,
      'aria-keyshortcuts': 'Control+Enter Meta+Enter',
    }),
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: execute }])),
    keymap.of([{ key: 'Shift-Alt-f', run: format }, ...historyKeymap, ...defaultKeymap]),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      const isBroughtIn = transactions.some((each) => each.annotation(broughtIn) !== undefined)
      if (docChanged && !isBroughtIn) onChange(editedMessage(state).text)
    }),
  ]
}

/** Changes no more than what differs, so that the cursor stays where it was in the rest, and undo brings it back. */
function bringIn(view: EditorView, message: string): void {
  if (message === editedMessage(view.state).text) return
  const [old, next] = [view.state.doc.toString(), documentText(message)]
  const from = sharedLength(old.length, next.length, (at) => old[at] === next[at])
  const [oldRest, nextRest] = [old.length - from, next.length - from]
  const shared = sharedLength(oldRest, nextRest, (at) => old.at(-1 - at) === next.at(-1 - at))
  view.dispatch({
    changes: { from, to: old.length - shared, insert: next.slice(from, next.length - shared) },
    annotations: broughtIn.of(message),
  })
}

function sharedLength(one: number, other: number, isSame: (at: number) => boolean): number {
  let length = 0
  while (length < Math.min(one, other) && isSame(length)) length++
  return length
}

function format(view: EditorView): boolean {
  const { text } = editedMessage(view.state)
  const formatted = formatMessage(text, view.state.field(vocabularyField).bots ?? [])
  const changes = { from: 0, to: view.state.doc.length, insert: formatted }
  if (formatted !== text) view.dispatch({ changes, userEvent: 'input.format' })
  return true
}
