/** A machine's clocks at one moment, in ms: one that only runs, and the wall clock, which people can set. */
export interface Reading {
  steady: number
  wall: number
}

/**
 * The course of a wall clock of our own from a reading on: as the steady clock runs, but at half speed for `slowMs`.
 */
export interface Course extends Reading {
  slowMs: number
}

/** Below this the clocks agree: a reading of both takes its time. */
const toleranceMs = 250

/** Returns the course's time at this reading of the steady clock; never less than before. */
export function wallAt({ steady: from, wall, slowMs }: Course, steady: number): number {
  const ranMs = steady - from
  return wall + ranMs - Math.min(ranMs, slowMs) / 2
}

/**
 * The course from a reading on. One that the wall clock left behind, since it was set forward or the machine slept,
 * joins it at once. One that is ahead, since it was set back, waits for it at half speed: earlier moments stay earlier
 * than later ones, and no duration is negative.
 */
export function followed(course: Course, reading: Reading): Course {
  const shown = wallAt(course, reading.steady)
  const aheadMs = shown - reading.wall
  if (aheadMs < -toleranceMs) return { ...reading, slowMs: 0 }
  if (aheadMs > toleranceMs) return { steady: reading.steady, wall: shown, slowMs: 2 * aheadMs }
  return course
}
