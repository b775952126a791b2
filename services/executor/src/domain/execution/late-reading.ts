import { latestReadingMs } from '../order/absence.ts'
import type { Decision } from '../order/attempt.ts'
import type { Placement } from '../order/order.ts'
import type { Execution } from './state.ts'

const pausesMs = [250, 500, 1000, 2000, 4000] as const
const longestPauseMs = 5000

/**
 * Since when an exit has been decided on readings that are older than what ended its position, and when it is decided on
 * anew; undefined where that is not so. The venue's engine found nothing to reduce (-2022 at Binance, 110017 at Bybit) where
 * the account was read as holding something: a stop that fills at the same moment, or a close by hand, shows
 * later in reads than in the engine. So do on spot the coins that fees of other orders take, of which a sale finds too few.
 */
export function afterLateReading(
  placement: Placement,
  decision: Decision,
  execution: Execution,
  now: number,
): { readLateSince: number; notBefore: number } | undefined {
  const { reading, readLateSince: since } = execution.current
  if (!findsLess(placement, decision, execution) || reading === undefined) return undefined
  const sinceMs = now - (since ?? now)
  if (sinceMs > latestReadingMs) return undefined
  const pauseMs = pausesMs.find((pause) => pause >= sinceMs) ?? longestPauseMs
  return { readLateSince: now - sinceMs, notBefore: now + pauseMs }
}

/** True where the venue's engine finds less than an exit was sized on. */
function findsLess(placement: Placement, { plan }: Decision, { current: { taking } }: Execution): boolean {
  if (placement.outcome !== 'refused') return false
  if (placement.code === 'E510') return plan.reduceOnly
  // It was looked at what locks its coins.
  return placement.code === 'E506' && plan.side === 'sell' && taking?.isChosen === true
}
