import { useEffect, useState } from 'react'

/** Gives the focus back, when the component leaves the screen, to what had it when it came. */
export function useFocusReturn(): void {
  // Seen while drawing, before anything of the component takes the focus.
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    },
    [before],
  )
}
