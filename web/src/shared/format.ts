/** A duration as people read it: `0.4 ms`, `123 ms`, from one second on `1.2 s`. */
export function durationText(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  return ms < 999.5 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** The time of day in UTC with milliseconds, of an ISO instant. */
export function utcTimeText(instant: string): string {
  return new Date(instant).toISOString().slice(11, 23)
}

/** Returns a duration in whole milliseconds: `2 ms`, from one second on `1.2 s`. */
export function wholeDurationText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : durationText(ms)
}
