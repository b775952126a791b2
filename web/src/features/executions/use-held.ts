import { useSyncExternalStore } from 'react'

// A touch of the page is no reading yet.
const readingFromPx = 10

/** Whether the page was scrolled away from its beginning, a text of the list is selected, or somebody is on the list. */
export function useIsReading(): boolean {
  return useSyncExternalStore(listen, isReading)
}

function isReading(): boolean {
  return window.scrollY > readingFromPx || isSelecting() || isOnList()
}

// The button that shows new ones is part of it: whoever goes there from the list is not gone.
const heldList = '.held-list'

/** Whether the pointer or the keyboard is on the list. Asked of the page itself, so that no event can be missed. */
function isOnList(): boolean {
  return document.querySelector(`${heldList}:hover, ${heldList}:focus-within`) !== null
}

/** Whether a text of the list is selected, so that it must neither move nor close. */
export function isSelecting(): boolean {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed) return false
  const { anchorNode } = selection
  const element = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement
  return Boolean(element?.closest('.execution-list'))
}

const presence = ['pointerover', 'pointerout', 'focusin'] as const

function listen(changed: () => void): () => void {
  const leave = ({ relatedTarget }: FocusEvent) => {
    // From one row to the next the focus is nowhere for a moment.
    if (!(relatedTarget instanceof Element && relatedTarget.closest(heldList))) changed()
  }
  addEventListener('scroll', changed, { passive: true })
  document.addEventListener('selectionchange', changed)
  document.addEventListener('focusout', leave)
  for (const event of presence) document.addEventListener(event, changed)
  return () => {
    removeEventListener('scroll', changed)
    document.removeEventListener('selectionchange', changed)
    document.removeEventListener('focusout', leave)
    for (const event of presence) document.removeEventListener(event, changed)
  }
}
