/** Counts of a histogram by upper bound in ms, each with those below it; the last one has all. */
export type Histogram = ReadonlyMap<number, number>

const line = /^tripline_alert_stage_seconds_bucket\{(?=[^}]*stage="(\w+)")[^}]*le="([^"]+)"[^}]*\} (\d+)$/gm

/** Reads how long the stages of orders took in an executor, of all venues together. */
export async function readStages(executorUrl: string): Promise<ReadonlyMap<string, Histogram>> {
  const text = await (await fetch(`${executorUrl}/metrics`)).text()
  const stages = new Map<string, Map<number, number>>()
  for (const [, stage = '', bound = '', count] of text.matchAll(line)) {
    const ms = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound) * 1000
    const counts = stages.get(stage) ?? new Map<number, number>()
    stages.set(stage, counts.set(ms, (counts.get(ms) ?? 0) + Number(count)))
  }
  return stages
}

/** Returns what was counted between two readings. */
export function between(before: Histogram | undefined, after: Histogram | undefined): Histogram {
  return new Map([...(after ?? [])].map(([bound, count]) => [bound, count - (before?.get(bound) ?? 0)]))
}

/** Returns the upper bound that this share (0 to 1) does not exceed, in ms; 0 of nothing. */
export function boundOf(histogram: Histogram, share: number): number {
  const all = countOf(histogram)
  return [...histogram].find(([, count]) => count >= share * all)?.[0] ?? 0
}

/** Returns how many took longer than one of the bounds. */
export function countBeyond(histogram: Histogram, ms: number): number {
  return countOf(histogram) - (histogram.get(ms) ?? 0)
}

/** Returns how many there are. */
export function countOf(histogram: Histogram): number {
  return histogram.get(Number.POSITIVE_INFINITY) ?? 0
}
