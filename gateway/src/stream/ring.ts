/** One event as it is sent, under its sequence in the stream. */
export interface Line {
  sequence: number
  text: string
}

/** What of a long past a browser is still told. */
export const mostReplayed = 200

/** The newest events of one user, from which whoever was away is told what was missed. */
export interface Ring {
  /** Whether it knows all that somebody missed who saw everything up to this sequence. */
  covers: (sequence: number) => boolean
  /** From which sequence on it was told everything. */
  coveredFrom: () => number
  /** The events behind this sequence, of many the newest. */
  behind: (sequence: number) => Line[]
  push: (line: Line) => void
  /** Adds everything that lies between this sequence and where it began. */
  prepend: (from: number, older: readonly Line[]) => void
}

/** A ring that is told of everything behind this sequence. */
export function openRing(from: number): Ring {
  let lines: Line[] = []
  let coveredFrom = from
  return {
    // Whoever missed more than it holds is told no more than it holds.
    covers: (sequence) => sequence >= coveredFrom || lines.length >= mostReplayed,
    coveredFrom: () => coveredFrom,
    behind: (sequence) => lines.filter((line) => line.sequence > sequence),
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
