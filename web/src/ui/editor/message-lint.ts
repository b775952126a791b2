import { type Diagnostic as EditorDiagnostic, linter } from '@codemirror/lint'
import { type Extension, Prec } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import type { Diagnostic } from '@tripline/proto/language/diagnostic'
import type { DocumentOffsets } from './document-offsets.ts'
import { editorTexts } from './editor-texts.ts'
import { editedMessage, vocabularyChanged, vocabularyField } from './message-field.ts'
import { isOnlyBegun, problemsOf, severityOf } from './problems.ts'

const delayMs = 120

/** The places in a document at which a problem is shown. */
export function shownAt({ span }: Pick<Diagnostic, 'span'>, { toDocument }: DocumentOffsets) {
  return { from: toDocument(span.offset), to: toDocument(span.offset + span.length) }
}

/** Underlines what is wrong while it is written; Mod-. makes the fix at the cursor, or else the first one. */
export function messageLint(): Extension {
  return [
    linter(
      ({ state }) => {
        const { text, offsets } = editedMessage(state)
        const problems = problemsOf(text, state.field(vocabularyField).bots)
        // Nobody has done anything wrong yet.
        if (isOnlyBegun(text, problems)) return []
        return problems.map((problem) => editorDiagnostic(problem, offsets))
      },
      {
        delay: delayMs,
        needsRefresh: ({ transactions }) =>
          transactions.some(({ effects }) => effects.some((effect) => effect.is(vocabularyChanged))),
      },
    ),
    Prec.high(
      keymap.of([
        { key: 'Mod-.', run: fixAtCursor },
        { key: 'Alt-Enter', run: fixAtCursor },
      ]),
    ),
  ]
}

function editorDiagnostic(problem: Diagnostic, offsets: DocumentOffsets): EditorDiagnostic {
  const { fix, message } = problem
  const actions = fix && [
    { name: editorTexts.fix(fix.text), apply: (view: EditorView) => makeFix(view, fix) },
  ]
  return {
    ...shownAt(problem, offsets),
    severity: severityOf(problem),
    message,
    ...(actions && { actions }),
  }
}

function makeFix(view: EditorView, { span, text }: NonNullable<Diagnostic['fix']>): void {
  const range = shownAt({ span }, editedMessage(view.state).offsets)
  const changes = view.state.changes({ ...range, insert: text })
  view.dispatch({ changes, selection: { anchor: changes.mapPos(range.to, 1) }, userEvent: 'input.fix' })
  view.focus()
}

function fixAtCursor(view: EditorView): boolean {
  const { text, offsets } = editedMessage(view.state)
  const problems = problemsOf(text, view.state.field(vocabularyField).bots).filter(({ fix }) => fix)
  const cursor = view.state.selection.main.head
  const here = problems.find((problem) => {
    const { from, to } = shownAt(problem, offsets)
    return from <= cursor && cursor <= to
  })
  const fix = (here ?? problems[0])?.fix
  if (fix) makeFix(view, fix)
  return fix !== undefined
}
