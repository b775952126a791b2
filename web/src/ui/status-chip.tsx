import { StatusMark } from './status-mark.tsx'
import './status-chip.css'

/** How something went, as a chip: its border says it besides glyph, word and color. */
export function StatusChip({ status }: { status: string }) {
  return (
    <span className={`status-chip status-${status}`}>
      <StatusMark status={status} />
    </span>
  )
}
