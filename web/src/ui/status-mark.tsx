const glyphs: Record<string, string> = {
  success: '✓',
  partial: '◐',
  failed: '✕',
  accepted: '…',
  running: '…',
  unknown: '?',
  skipped: '–',
}

/** A status: a glyph and a word, so that colour is never alone; brief ones have the word unseen. */
export function StatusMark({ status, isBrief = false }: { status: string; isBrief?: boolean }) {
  return (
    <span className={`status-mark status-${status}`}>
      <span aria-hidden="true">{glyphs[status] ?? '·'}</span>
      <span className={isBrief ? 'visually-hidden' : 'status-word'}>{status}</span>
    </span>
  )
}
