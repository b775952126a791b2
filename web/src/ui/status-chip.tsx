import { StatusMark } from './status-mark.tsx'
import './status-chip.css'

// Plain, since fifty rows have one each: antd's Tag sets up its styles in every one.
/** A status as a chip: its border shows it besides glyph, word and color. */
export function StatusChip({ status }: { status: string }) {
  return (
    <span className={`status-chip status-${status}`}>
      <StatusMark status={status} />
    </span>
  )
}
