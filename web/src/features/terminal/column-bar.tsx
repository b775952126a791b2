import type { KeyboardEvent, PointerEvent } from 'react'
import { terminalTexts } from './texts.ts'

/** The limits of the left column's width, in percent. */
const least = 30
const most = 65
const step = 2

interface ColumnBarProps {
  /** The percent that the left column has. */
  share: number
  onShare: (share: number) => void
}

/** The bar between the columns; dragged, or moved with the arrow keys. */
export function ColumnBar({ share, onShare }: ColumnBarProps) {
  const move = (wanted: number) => onShare(Math.min(most, Math.max(least, wanted)))
  function onKeyDown({ key }: KeyboardEvent) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[key]
    if (direction) move(share + direction * step)
  }
  function onPointerMove({ currentTarget: bar, pointerId, clientX }: PointerEvent<HTMLElement>) {
    const columns = bar.parentElement?.getBoundingClientRect()
    if (columns && bar.hasPointerCapture(pointerId)) move(((clientX - columns.left) / columns.width) * 100)
  }
  return (
    <hr
      className="column-bar"
      aria-orientation="vertical"
      aria-label={terminalTexts.columns}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={Math.round(share)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}
