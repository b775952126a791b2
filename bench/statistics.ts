/** The summary of many measurements. */
export interface Summary {
  count: number
  p50: number
  p90: number
  p99: number
}

/** The value that this share of the values (0 to 1) does not exceed: a measured one, by the nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.max(1, Math.ceil(share * sorted.length))
  const value = sorted[rank - 1]
  if (value === undefined) throw new Error('There are no values')
  return value
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  if (upper === undefined || lower === undefined) throw new Error('There are no values')
  return (lower + upper) / 2
}

/** Count and percentiles of one round. */
export function summarize(values: readonly number[]): Summary {
  return {
    count: values.length,
    p50: percentile(values, 0.5),
    p90: percentile(values, 0.9),
    p99: percentile(values, 0.99),
  }
}

/** All values counted, and the median of each percentile over the rounds: one disturbed round moves none of them. */
export function overRounds(rounds: readonly Summary[]): Summary {
  return {
    count: rounds.reduce((sum, { count }) => sum + count, 0),
    p50: median(rounds.map(({ p50 }) => p50)),
    p90: median(rounds.map(({ p90 }) => p90)),
    p99: median(rounds.map(({ p99 }) => p99)),
  }
}
