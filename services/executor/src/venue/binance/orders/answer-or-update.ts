import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The wait for an answer, which may say more, before the stream is believed; and the time that the stream may take once
 * an answer is lost.
 */
export const answeredWithinMs = 500

interface Race<Outcome> {
  /** The answer, or that it is lost; never rejects. */
  answered: Promise<Outcome>
  /** The private stream's report; pends until there is one. */
  updated: Promise<Outcome>
  /** True if the outcome of the request is open. */
  isLost: (outcome: Outcome) => boolean
  /** True while there is a stream that reports. */
  isLive: () => boolean
}

/**
 * Returns the outcome of a request: by its answer, or by the private stream, which reports it if the answer is lost.
 */
export async function answerOrUpdate<Outcome>({
  answered,
  updated,
  isLost,
  isLive,
}: Race<Outcome>): Promise<Outcome> {
  const first = await Promise.race([answered, updated])
  if (!isLost(first) || !isLive()) return first
  const late = sleep(answeredWithinMs, undefined, { ref: false })
  return (await Promise.race([updated, late])) ?? first
}
