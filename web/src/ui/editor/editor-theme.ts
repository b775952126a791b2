import { EditorView } from '@codemirror/view'

/** The editor in the colours of the page, whichever theme that has. */
export const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', fontSize: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: 'inherit', overflow: 'auto' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-placeholder': { color: 'var(--text-quiet)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--surface-hover)',
    outline: '1px solid var(--border-strong)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', color: 'var(--failed)' },
  '.cm-tooltip': {
    maxWidth: 'min(480px, 92vw)',
    border: '1px solid var(--border-strong)',
    borderRadius: '6px',
    backgroundColor: 'var(--surface-raised)',
    color: 'var(--text)',
    boxShadow: '0 6px 20px rgb(0 0 0 / 25%)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: '12.5px',
    maxHeight: '15em',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-surface)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--text-quiet)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { color: 'var(--accent)', textDecoration: 'none' },
  '.cm-completionInfo': { maxWidth: '280px', padding: '8px 10px' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: '3px solid var(--status)' },
  '.cm-diagnostic-error': { '--status': 'var(--failed)' },
  '.cm-diagnostic-warning': { '--status': 'var(--partial)' },
  '.cm-diagnostic-info': { '--status': 'var(--accent)' },
  '.cm-diagnosticAction': {
    padding: '2px 8px',
    border: '1px solid var(--border-strong)',
    borderRadius: '4px',
    backgroundColor: 'var(--surface)',
    color: 'var(--accent)',
    fontSize: '12px',
  },
  '.cm-lintRange': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecorationColor: 'var(--failed)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecorationColor: 'var(--partial)' },
  '.cm-lintRange-info': { backgroundImage: 'none', textDecorationColor: 'var(--accent)' },
})
