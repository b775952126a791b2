import { useState } from 'react'
import type { LiveLine } from '../../shared/live/live-lines.ts'

/** Lines of which the ones on the screen can be held while newer ones come. */
export interface PausableLines {
  shown: readonly LiveLine[]
  /** The number of lines that came since the pause. */
  missed: number
  isPaused: boolean
  /** Whether the newest line is to be seen. */
  isFollowing: boolean
  pause: () => void
  /** Tells that the person left the end of the log, or came back to it. */
  leave: () => void
  arrive: () => void
  /** Shows what came, and follows again. */
  release: () => void
}

interface ShownLines {
  lines: readonly LiveLine[]
  isPaused: boolean
}

/** Holds the lines that are read, so that nothing moves under the eye, while paused or away from their end. */
export function usePausableLines(lines: readonly LiveLine[]): PausableLines {
  const [held, setHeld] = useState<ShownLines>()
  const lastOf = (some: readonly LiveLine[] | undefined) => some?.at(-1)?.number ?? 0
  const release = () => setHeld(undefined)
  return {
    shown: held?.lines ?? lines,
    missed: held ? lastOf(lines) - lastOf(held.lines) : 0,
    isPaused: held?.isPaused ?? false,
    isFollowing: held === undefined,
    pause: () => setHeld((old) => ({ lines: old?.lines ?? lines, isPaused: true })),
    leave: () => setHeld((old) => old ?? { lines, isPaused: false }),
    arrive: () => setHeld((old) => (old?.isPaused ? old : undefined)),
    release,
  }
}
