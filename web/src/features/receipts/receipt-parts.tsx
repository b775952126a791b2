import type { ReceiptView } from '@tripline/proto/http/receipt'
import { Link } from 'react-router-dom'
import { momentText } from '../../shared/moment-text.ts'
import { alertPath } from '../../shared/paths.ts'
import { useZone } from '../../shared/zone.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { texts } from './texts.ts'

const marks = {
  open: 'running',
  waiting: 'unknown',
  ended: 'success',
  lost: 'failed',
  unstored: 'skipped',
} satisfies Record<ReceiptView['state'], string>

/** The state of a receipt, as a glyph and a word. */
export function StatePart({ state }: { state: ReceiptView['state'] }) {
  return (
    <span title={texts.stateNotes[state]}>
      <StatusMark status={marks[state]} isBrief /> {texts.states[state]}
    </span>
  )
}

/** The moment of an alert's receipt. */
export function ReceivedPart({ instant }: { instant: string }) {
  const { day, time } = momentText(instant, useZone())
  return (
    <time dateTime={instant} title={instant}>
      <span className="quiet">{day}</span> {time}
    </time>
  )
}

/** The way to what the history has of the alert. */
export function AlertPart({ id }: { id: string }) {
  return (
    <Link className="receipt-alert" to={alertPath(id)}>
      {id}
    </Link>
  )
}

/** The beginning of a hash, and all of it on the clipboard. */
export function HashPart({ receipt: { number, hash } }: { receipt: ReceiptView }) {
  return (
    <span className="receipt-hash">
      <code title={hash}>{hash.slice(0, 12)}…</code>
      <CopyButton text={hash} label={texts.copyHash(number)} />
    </span>
  )
}

/** The text of an alert that is lost, and no part of others. */
export function LostPart({ message }: { message: string | null }) {
  return message === null ? null : <pre className="receipt-message">{message}</pre>
}
