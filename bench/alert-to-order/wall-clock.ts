const originNs =
  BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n - process.hrtime.bigint()

/** The wall clock in ns, read the way the paper exchange reads the one of its journal. */
export function nowNs(): bigint {
  return originNs + process.hrtime.bigint()
}

/** Returns the µs between two moments. */
export function microsecondsBetween(from: bigint, to: bigint): number {
  return Number(to - from) / 1000
}
