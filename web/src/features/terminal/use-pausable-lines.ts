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
  /** Notes that the person left the end of the log, or came back to it. */
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
  const [pinned, setPinned] = useState<ShownLines>()
  const lastOf = (some: readonly LiveLine[] | undefined) => some?.at(-1)?.number ?? 0
  const release = () => setPinned(undefined)
  return {
    shown: pinned?.lines ?? lines,
    missed: pinned ? lastOf(lines) - lastOf(pinned.lines) : 0,
    isPaused: pinned?.isPaused ?? false,
    isFollowing: pinned === undefined,
    pause: () => setPinned((old) => ({ lines: old?.lines ?? lines, isPaused: true })),
    leave: () => setPinned((old) => old ?? { lines, isPaused: false }),
    arrive: () => setPinned((old) => (old?.isPaused ? old : undefined)),
    release,
  }
}
