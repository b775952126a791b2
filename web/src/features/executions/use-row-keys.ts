import { type RefObject, useEffect } from 'react'
import { isGoingAfter, rowActionOf } from './row-key.ts'

interface RowKeys {
  /** Opens all rows, or closes them. */
  onToggleAll(): void
  /** Copies the row that has the focus. */
  onCopy(id: string): void
}

/** Moves between rows with j, k and the arrows; e opens all of them and c copies one. */
export function useRowKeys(list: RefObject<HTMLElement | null>, { onToggleAll, onCopy }: RowKeys): void {
  useEffect(() => {
    let isGoing = false
    function press(event: KeyboardEvent) {
      const isChosen = isGoing
      isGoing = false
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      isGoing = isGoingAfter(event.key, isChosen)
      const toggles = [...(list.current?.querySelectorAll<HTMLElement>('[data-execution]') ?? [])]
      const { activeElement } = document
      const at = activeElement instanceof HTMLElement ? toggles.indexOf(activeElement) : -1
      const action = rowActionOf({ key: event.key, isGoing: isChosen, isInRow: at >= 0 })
      if (action === 'next') move(event, toggles, at, 1)
      else if (action === 'before') move(event, toggles, at, -1)
      else if (action === 'all') onToggleAll()
      else if (action === 'copy') copy(toggles[at], onCopy)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [list, onToggleAll, onCopy])
}

function move(event: KeyboardEvent, toggles: readonly HTMLElement[], at: number, step: number): void {
  event.preventDefault()
  const next = at < 0 ? 0 : Math.min(toggles.length - 1, Math.max(0, at + step))
  toggles[next]?.focus()
  toggles[next]?.scrollIntoView({ block: 'nearest' })
}

function copy(toggle: HTMLElement | undefined, onCopy: (id: string) => void): void {
  const id = toggle?.dataset['execution']
  if (id !== undefined) onCopy(id)
}

// Letters belong to fields, and everything to a dialog above the page.
function isElsewhere(target: EventTarget | null): boolean {
  const isField = target instanceof Element && target.closest('input, textarea, select, [contenteditable]')
  return Boolean(isField) || document.querySelector('[role="dialog"]') !== null
}
