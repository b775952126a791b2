import { useMemo } from 'react'
import { type MessageSpan, spansOf } from '../shared/message-spans.ts'
import './message-text.css'

/** A stretch of a message that is marked as wrong. */
interface Marked {
  offset: number
  length: number
}

/** A message with its parts in colors, and what is wrong in it underlined. */
export function MessageText({ message, marked = [] }: { message: string; marked?: readonly Marked[] }) {
  const pieces = useMemo(() => piecesOf(message, spansOf(message), marked), [message, marked])
  return (
    <pre className="message-text">
      {pieces.map(({ text, offset, kind, isMarked }) => (
        <Piece key={offset} text={text} kind={kind} isMarked={isMarked} />
      ))}
    </pre>
  )
}

function Piece({ text, kind, isMarked }: { text: string; kind: string | undefined; isMarked: boolean }) {
  const className = kind === undefined ? undefined : `message-${kind}`
  return isMarked ? <mark className={className}>{text}</mark> : <span className={className}>{text}</span>
}

/** The text cut wherever its kind, or whether it is marked, changes. */
function piecesOf(message: string, spans: readonly MessageSpan[], marked: readonly Marked[]) {
  const cuts = new Set([0, message.length])
  for (const { offset, length } of [...spans, ...marked]) cuts.add(offset).add(offset + length)
  const at = [...cuts].filter((cut) => cut <= message.length).toSorted((one, other) => one - other)
  const holds = (offset: number) => (range: Marked) =>
    range.offset <= offset && offset < range.offset + range.length
  return at.slice(0, -1).map((offset, index) => ({
    text: message.slice(offset, at[index + 1]),
    offset,
    kind: spans.find(holds(offset))?.kind,
    isMarked: marked.some(holds(offset)),
  }))
}
