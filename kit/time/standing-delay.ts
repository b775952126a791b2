import { steadyNow } from './clock.ts'
import { createLowest } from './lowest.ts'

/** The least delay of a span is that of a queue which stands: a burst, or a pause of the process, ends within it. */
const spanMs = 50
/** Shorter delays are of no interest to anybody. */
const reportedFromMs = 50
/** Two spans that are further apart than this, and what is delayed in them, belong to no queue. */
const mostBetweenMs = 500
/** Time over which what leaves a queue is counted. */
const countedMs = 1000
/** Clocks that a delay is measured by differ by the lowest delay of this time: a leap of one of them is no queue for longer. */
const clockSpanMs = 15_000
/** A wait in a queue exceeds that of the one before by the time in between at most; beyond that, and this, it is a leap. */
const leapMs = 50

/** A queue that stands: the least delay of the last span, and how much leaves it in a second. */
export interface StandingDelay {
  delayMs: number
  perSecond: number
}

interface Queue {
  since: number
  count: number
}

interface Span {
  least: number
  count: number
  from: number
}

/**
 * Reports a queue ten times a second or more while it stands. Returns what is called with each delay in it, in ms. Where these
 * are the differences of two clocks, a leap of one of them is no queue.
 */
export function reportStandingDelay(
  report: (delay: StandingDelay) => void,
  isOfTwoClocks = false,
): (delayMs: number) => void {
  const newLowest = () => createLowest({ start: Number.POSITIVE_INFINITY, spanMs: clockSpanMs })
  let lowest = newLowest()
  let queue: Queue | undefined
  let endedAt = 0
  let last: Span | undefined
  let span: Span | undefined
  const end = (): void => {
    if (span === undefined) return
    const { least, count, from } = span
    const at = steadyNow()
    if (isOfTwoClocks && last !== undefined && least > last.least + (at - last.from) + leapMs) {
      lowest = newLowest()
      lowest.note(least)
    }
    last = span
    span = undefined
    const delayMs = Math.round(least - lowest.read())
    const before = from - endedAt < mostBetweenMs + delayMs ? queue : undefined
    endedAt = at
    queue = delayMs < reportedFromMs ? undefined : withSpan(before, { from, count, at })
    if (queue !== undefined && before !== undefined)
      report({ delayMs, perSecond: (1000 * queue.count) / (at - queue.since) })
  }
  return (delayMs) => {
    lowest.note(delayMs)
    if (span === undefined) setTimeout(end, spanMs).unref()
    span ??= { least: delayMs, count: 0, from: steadyNow() }
    span.least = Math.min(span.least, delayMs)
    span.count++
  }
}

/** The queue with one more span; of a long one the older half counts no more. */
function withSpan(
  queue: Queue | undefined,
  { from, count, at }: { from: number; count: number; at: number },
): Queue {
  if (queue === undefined) return { since: from, count }
  const all = { since: queue.since, count: queue.count + count }
  const ms = at - all.since
  return ms < countedMs ? all : { since: all.since + ms / 2, count: all.count / 2 }
}
