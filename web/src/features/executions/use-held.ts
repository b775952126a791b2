import { useSyncExternalStore } from 'react'

// A touch of the page is no reading yet.
const readingFromPx = 10

/** Whether the page was scrolled away from its beginning, or a text of the list is selected. */
export function useIsReading(): boolean {
  return useSyncExternalStore(listen, isReading)
}

function isReading(): boolean {
  return window.scrollY > readingFromPx || isSelecting()
}

/** Whether a text of the list is selected, so that it must neither move nor close. */
export function isSelecting(): boolean {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed) return false
  const { anchorNode } = selection
  const element = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement
  return Boolean(element?.closest('.execution-list'))
}

function listen(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true })
  document.addEventListener('selectionchange', changed)
  return () => {
    removeEventListener('scroll', changed)
    document.removeEventListener('selectionchange', changed)
  }
}
