/** The editor's texts. */
export const editorTexts = {
  keys: 'Control Enter executes, Control Space completes, Control period fixes, Shift Alt F formats; Escape, then Tab leaves.',
  fix: (text: string) => (text === '' ? 'Remove it' : `Replace with ${text}`),
} as const
