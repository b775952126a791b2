import type { Preset, Vitals } from './vitals.ts'

/** From which value on a figure scores 90, and from which 50. */
interface Curve {
  ninety: number
  fifty: number
}

type Figure = 'firstPaint' | 'largestPaint' | 'blocked' | 'shift'

// The curves and weights of Lighthouse 12, without its index of speed, which needs a film of the page.
const curves: Record<Preset['name'], Record<Figure, Curve>> = {
  mobile: {
    firstPaint: { ninety: 1800, fifty: 3000 },
    largestPaint: { ninety: 2500, fifty: 4000 },
    blocked: { ninety: 200, fifty: 600 },
    shift: { ninety: 0.1, fifty: 0.25 },
  },
  desktop: {
    firstPaint: { ninety: 934, fifty: 1600 },
    largestPaint: { ninety: 1200, fifty: 2400 },
    blocked: { ninety: 150, fifty: 350 },
    shift: { ninety: 0.1, fifty: 0.25 },
  },
}
const weights: Record<Figure, number> = { firstPaint: 10, largestPaint: 25, blocked: 30, shift: 25 }

/** For how long a page could not answer while it opened: what each task took beyond 50 ms. */
export function blockedMs({ tasksMs }: Vitals): number {
  return tasksMs.reduce((sum, ms) => sum + ms - 50, 0)
}

/** Returns a page's score, from 0 to 100. */
export function scoreOf(vitals: Vitals, preset: Preset['name']): number {
  const figures: Record<Figure, number> = {
    firstPaint: vitals.firstPaintMs,
    largestPaint: vitals.largestPaintMs,
    blocked: blockedMs(vitals),
    shift: vitals.shift,
  }
  let [sum, weight] = [0, 0]
  for (const figure of Object.keys(figures) as Figure[]) {
    sum += weights[figure] * share(figures[figure], curves[preset][figure])
    weight += weights[figure]
  }
  return Math.round((100 * sum) / weight)
}

/** The share of a log-normal distribution that is worse than this value. */
function share(value: number, { ninety, fifty }: Curve): number {
  if (value <= 0) return 1
  // A tenth of a normal distribution is beyond 1.2816 deviations.
  const deviation = Math.log(fifty / ninety) / 1.281_551_565_545
  return 1 - normalShare(Math.log(value / fifty) / deviation)
}

/** The share of a normal distribution that is below this many deviations, by Abramowitz and Stegun 26.2.17. */
function normalShare(deviations: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(deviations))
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const tail = terms.reduceRight((sum, term) => (sum + term) * t, 0)
  const beyond = (Math.exp((-deviations * deviations) / 2) / Math.sqrt(2 * Math.PI)) * tail
  return deviations > 0 ? 1 - beyond : beyond
}
