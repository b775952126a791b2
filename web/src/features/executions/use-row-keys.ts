import { type RefObject, useEffect } from 'react'

interface RowKeys {
  /** Opens all rows, or closes them. */
  onToggleAll(): void
  /** Copies the row that has the focus. */
  onCopy(id: string): void
}

/** Moves between rows with j, k and the arrows; e opens all of them and c copies one. */
export function useRowKeys(list: RefObject<HTMLElement | null>, { onToggleAll, onCopy }: RowKeys): void {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      const toggles = [...(list.current?.querySelectorAll<HTMLElement>('[data-execution]') ?? [])]
      const { activeElement } = document
      const at = activeElement instanceof HTMLElement ? toggles.indexOf(activeElement) : -1
      const step = stepOf(event.key, at >= 0)
      if (step !== 0) move(event, toggles, at, step)
      else if (event.key === 'e') onToggleAll()
      else if (event.key === 'c') copy(toggles[at], onCopy)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [list, onToggleAll, onCopy])
}

/** One row on or back; arrows scroll the page as ever unless a row has the focus. */
function stepOf(key: string, isInRow: boolean): number {
  if (key === 'j' || (isInRow && key === 'ArrowDown')) return 1
  return key === 'k' || (isInRow && key === 'ArrowUp') ? -1 : 0
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
