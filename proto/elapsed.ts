/** The ms between two moments, to the microsecond; 0 where the second seems earlier, since clocks of machines differ. */
export function elapsedMs(from: number, to: number): number {
  return to > from ? Number((to - from).toFixed(3)) : 0
}
