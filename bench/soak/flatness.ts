import type { Vitals } from '../vitals/vitals.ts'

/** A service's use of resources at the end of a window. */
export interface Sample extends Vitals {
  minute: number
}

/** The trend of one resource of a service. */
export interface Trend {
  thing: 'heapUsed' | 'rss' | 'handles' | 'files'
  first: number
  last: number
  perHour: number
  isGrowing: boolean
}

const mib = 2 ** 20
/** By how much the last windows may exceed the first ones: a share of those, or this much where that is more. */
const limits = {
  heapUsed: { share: 0.15, least: 6 * mib },
  // The allocator's memory follows the highest load so far, and comes to rest later than the heap.
  rss: { share: 0.5, least: 96 * mib },
  handles: { share: 0.1, least: 10 },
  files: { share: 0.1, least: 10 },
} as const
/** Caches, pools and compiled code are filled by then. */
const warmUpWindows = 2
/** Fewer distinguish a leak from noise no better than a coin. */
const fewestWindows = 6

/** Returns the trends of a service's resources while it was one process; undefined if that was too short to judge. */
export function trendsOf(samples: readonly Sample[]): Trend[] | undefined {
  const pid = samples.at(-1)?.pid
  const steady = samples.filter((sample) => sample.pid === pid).slice(warmUpWindows)
  if (steady.length < fewestWindows) return undefined
  return (['heapUsed', 'rss', 'handles', 'files'] as const).map((thing) => trendOf(steady, thing))
}

function trendOf(samples: readonly Sample[], thing: Trend['thing']): Trend {
  const third = Math.floor(samples.length / 3)
  const first = mean(samples.slice(0, third).map((sample) => sample[thing]))
  const last = mean(samples.slice(-third).map((sample) => sample[thing]))
  const { share, least } = limits[thing]
  const isGrowing = last - first > Math.max(share * first, least)
  const points = samples.map((sample) => [sample.minute, sample[thing]] as const)
  return { thing, first, last, perHour: slopeOf(points) * 60, isGrowing }
}

/** The slope of the line that lies closest to the points (least squares). */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const [middleX, middleY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [x]) => sum + (x - middleX) ** 2, 0)
  return points.reduce((sum, [x, y]) => sum + (x - middleX) * (y - middleY), 0) / spread
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
