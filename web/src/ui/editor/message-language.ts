import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import { bracketMatching, indentService, indentUnit } from '@codemirror/language'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, hoverTooltip, keymap } from '@codemirror/view'
import { hoverAt } from '@tripline/proto/language/hover'
import { type Offered, offerAt } from './complete-message.ts'
import { editedMessage, vocabularyField } from './message-field.ts'

/** Returns the editor's acts that need the language: it completes, explains, pairs brackets and indents. */
export function messageLanguage(): Extension {
  return [
    // At once, since Tab leaves the editor where there is nothing to accept yet.
    autocompletion({ override: [complete], icons: false, interactionDelay: 0 }),
    Prec.high(keymap.of([{ key: 'Tab', run: acceptCompletion }])),
    hoverTooltip((view, position) => explain(view, position)),
    EditorState.languageData.of(() => [{ closeBrackets: { brackets: ['(', '{', '"'] } }]),
    closeBrackets(),
    EditorView.domEventHandlers({ beforeinput: replaceSelection }),
    keymap.of(closeBracketsKeymap),
    bracketMatching(),
    indentUnit.of('  '),
    indentService.of(({ state, unit }, position) => indentation(state, position, unit)),
  ]
}

/** Writes over a selection; browsers keep its looks by a style of their own, which the page's policy forbids. */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  // The page's own selection: the editor learns of a change of it only afterwards.
  const selection = document.getSelection()
  const range = selection?.rangeCount ? selection.getRangeAt(0) : undefined
  const text = event.data
  if (event.inputType !== 'insertText' || text === null || event.isComposing) return false
  if (range === undefined || range.collapsed) return false
  event.preventDefault()
  const from = view.posAtDOM(range.startContainer, range.startOffset)
  const to = view.posAtDOM(range.endContainer, range.endOffset)
  const insert = () =>
    view.state.update({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      userEvent: 'input.type',
    })
  const handlers = view.state.facet(EditorView.inputHandler)
  if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
  return true
}

type CompletionPosition = Pick<CompletionContext, 'state' | 'pos' | 'explicit'>

function complete({ state, pos, explicit }: CompletionPosition): CompletionResult | null {
  const { text, offsets } = editedMessage(state)
  const offer = offerAt(text, offsets.toMessage(pos), state.field(vocabularyField), explicit)
  if (offer === undefined) return null
  return {
    from: offsets.toDocument(offer.range.offset),
    options: offer.items.map(completionOf),
    // The language itself has found what fits.
    filter: false,
    // At once with each letter: a list that waited for the next one would be shown, and Tab would leave the editor.
    update: (_result, _from, _to, next) => complete({ state: next.state, pos: next.pos, explicit }),
  }
}

function completionOf(item: Offered): Completion {
  return { label: item.label, detail: ` ${item.kind}`, info: item.doc, apply: applying(item) }
}

function applying({ insert, closing, leadsOn }: Offered) {
  return (view: EditorView, completion: Completion, from: number, to: number): void => {
    view.dispatch({
      changes: { from, to, insert: insert + closing },
      selection: { anchor: from + insert.length },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
    })
    if (leadsOn) startCompletion(view)
  }
}

function explain({ state }: EditorView, position: number) {
  const { text, offsets } = editedMessage(state)
  const hover = hoverAt(text, offsets.toMessage(position))
  if (hover === undefined) return null
  const { offset, length } = hover.span
  return {
    pos: offsets.toDocument(offset),
    end: offsets.toDocument(offset + length),
    create: () => {
      const dom = document.createElement('div')
      dom.className = 'message-hover'
      dom.textContent = hover.doc
      return { dom }
    },
  }
}

/** One step for each brace that is open, one less where the line begins by closing it. */
function indentation(state: EditorState, position: number, unit: number): number {
  const before = state.sliceDoc(0, position).replaceAll(/\{\{[^{}\n]*\}\}/g, '')
  const depth = before.split('{').length - before.split('}').length
  const closes = /^\s*\}/.test(state.sliceDoc(position, state.doc.lineAt(position).to))
  return Math.max(0, depth - (closes ? 1 : 0)) * unit
}
