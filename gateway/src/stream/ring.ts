/** One event as it is sent, under its place in the stream. */
export interface Line {
  position: number
  text: string
}

const partsOfOne = 1000

/**
 * The places of the events of a message, which grow along the stream. The sequence is that of its last one: a browser
 * that is there has seen all of it. A browser that has seen some is so many thousandths behind the message before.
 */
export function positionsOf(sequence: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) =>
    index === count - 1 ? sequence : ((sequence - 1) * partsOfOne + index + 1) / partsOfOne,
  )
}

/** The place that an event's id names; undefined of an id that is none of ours. */
export function positionIn(id: string): number | undefined {
  return /^\d{1,15}(?:\.\d{1,3})?$/.test(id) ? Number(id) : undefined
}

/** The most of a long past that a browser is still sent. */
export const mostReplayed = 200

/** The newest events of one user, from which a browser that was away gets those it missed. */
export interface Ring {
  /** Whether it knows all that somebody missed who saw everything up to this place. */
  covers: (position: number) => boolean
  /** Returns the sequence from which on it has everything. */
  coveredFrom: () => number
  /** The events behind this place, of many the newest. */
  behind: (position: number) => Line[]
  push: (line: Line) => void
  /** Adds everything that lies between this sequence and where it began. */
  prepend: (from: number, older: readonly Line[]) => void
}

/** Opens a ring that receives everything behind this sequence. */
export function openRing(from: number): Ring {
  let lines: Line[] = []
  let coveredFrom = from
  return {
    // A browser that missed more than it holds gets no more than it holds.
    covers: (position) => position >= coveredFrom || lines.length >= mostReplayed,
    coveredFrom: () => coveredFrom,
    behind: (seen) => lines.filter(({ position }) => position > seen),
    push: (line) => {
      lines.push(line)
      if (lines.length > mostReplayed) lines.shift()
    },
    prepend: (earlier, older) => {
      lines = [...older, ...lines].slice(-mostReplayed)
      coveredFrom = earlier
    },
  }
}
