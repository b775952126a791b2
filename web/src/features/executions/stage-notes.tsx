import { durationText } from '../../shared/format.ts'
import type { StageNote } from './stages.ts'

/** What happened within a stage, and when; nothing where nothing did. */
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
