import { Annotation, type EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { spansOf } from '../../shared/message-spans.ts'
import type { Vocabulary } from './complete-message.ts'
import { type DocumentOffsets, documentOffsets } from './document-offsets.ts'

/** The message that a document stands for, with its own line ends. */
export interface EditedMessage {
  text: string
  offsets: DocumentOffsets
  highlights: DecorationSet
}

/** Marks a change that brings in a message from outside, which the document would show with other line ends. */
export const broughtIn = Annotation.define<string>()

/** The message of an editor, highlighted. */
export const messageField = StateField.define<EditedMessage>({
  create: (state) => readEdited(state.doc.toString()),
  update: (message, transaction) => {
    const text = transaction.annotation(broughtIn)
    if (text !== undefined) return readEdited(text)
    return transaction.docChanged ? readEdited(transaction.newDoc.toString()) : message
  },
  provide: (field) => EditorView.decorations.from(field, ({ highlights }) => highlights),
})

/** Gives the editor what its person has. */
export const vocabularyChanged = StateEffect.define<Vocabulary>()

/** The vocabulary of the editor's person, as far as it is known. */
export const vocabularyField = StateField.define<Vocabulary>({
  create: () => ({ bots: undefined, symbols: [] }),
  update: (vocabulary, { effects }) =>
    effects.reduce((last, effect) => (effect.is(vocabularyChanged) ? effect.value : last), vocabulary),
})

/** The message of an editor, in its state. */
export function editedMessage(state: EditorState): EditedMessage {
  return state.field(messageField)
}

function readEdited(text: string): EditedMessage {
  const offsets = documentOffsets(text)
  const builder = new RangeSetBuilder<Decoration>()
  for (const { offset, length, kind } of spansOf(text)) {
    const [from, to] = [offsets.toDocument(offset), offsets.toDocument(offset + length)]
    if (from < to) builder.add(from, to, marks[kind])
  }
  return { text, offsets, highlights: builder.finish() }
}

const mark = (kind: string) => Decoration.mark({ class: `message-${kind}` })

const marks = {
  label: mark('label'),
  symbol: mark('symbol'),
  command: mark('command'),
  parameter: mark('parameter'),
  value: mark('value'),
  placeholder: mark('placeholder'),
  comment: mark('comment'),
}
