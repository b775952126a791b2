/** The exchange's time: milliseconds for its rules, nanoseconds for its journal. */
export type Clock = Readonly<{ nowMs: () => number; nowNs: () => bigint }>

/** The machine's wall clock; its nanoseconds come from the high-resolution timer and never run backwards. */
export function systemClock(): Clock {
  const originNs =
    BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n - process.hrtime.bigint()
  return { nowMs: Date.now, nowNs: () => originNs + process.hrtime.bigint() }
}
