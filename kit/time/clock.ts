import { type Course, followed, wallAt } from './wall-course.ts'

const followEveryMs = 1000
/** Readings of two clocks that lie further apart say nothing: the process stood still between them. */
const atOnceMs = 20

let course: Course = { steady: 0, wall: performance.timeOrigin, slowMs: 0 }
let joinedAt = Number.NEGATIVE_INFINITY

/**
 * The wall clock in ms since the epoch, with fractions; comparable across processes of one machine. It never goes back;
 * in a process that follows the wall clock it leaps forward where that was set, or the machine slept.
 */
export function now(): number {
  return wallAt(course, performance.now())
}

/** A clock in ms that only runs, whatever the wall clock is set to: for what counts on time that really passed. */
export function steadyNow(): number {
  return performance.now()
}

/** True where `now` leapt forward in the last so many ms: from a moment before to one after, less may have passed. */
export function leaptWithin(ms: number): boolean {
  return performance.now() - joinedAt < ms
}

/** Lets `now` follow a wall clock that is set, and a machine that slept; never holds up the end of the process. */
export function followWallClock(): void {
  setInterval(() => {
    const before = performance.now()
    const wall = Date.now()
    if (performance.now() - before > atOnceMs) return
    const next = followed(course, { steady: before, wall })
    if (next.wall === wall && next !== course) joinedAt = before
    course = next
  }, followEveryMs).unref()
}
