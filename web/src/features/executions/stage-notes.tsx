import { durationText } from '../../shared/format.ts'
import type { StageNote } from './stages.ts'

/** The events within a stage and their times; nothing if there are none. */
export function StageNotes({ notes }: { notes: readonly StageNote[] }) {
  if (notes.length === 0) return null
  return (
    <ul className="stage-notes">
      {notes.map(({ afterMs, text }) => (
        <li key={`${afterMs}-${text}`}>
          <span className="quiet">+{durationText(afterMs)}</span> {text}
        </li>
      ))}
    </ul>
  )
}
