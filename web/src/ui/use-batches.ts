import { startTransition, useEffect, useState } from 'react'

/**
 * Returns the number of parts of a screen that are drawn by now: one at first, then one more each time. Drawn at once
 * they would hold up the first touch; in the order in which they stand, none moves another.
 */
export function useBatches(parts: number): number {
  const [drawn, setDrawn] = useState(1)
  useEffect(() => {
    if (drawn < parts) startTransition(() => setDrawn(drawn + 1))
  }, [drawn, parts])
  return drawn
}
