/** The wall clock in ms since the epoch, with fractions; comparable across processes of one machine. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}
