import { type Ending, type Failure, failed } from './ending.ts'
import type { BotLimits } from './permit.ts'

/** A question that had no answer so far. To ask it again changes nothing at the venue. */
export interface AskedInVain {
  /** When it first had none. */
  since: number
  times: number
  /** An exit or a cancel hangs on it. */
  isUrgent: boolean
  /** How the command ends where there is no answer at last. */
  failure: Failure
}

const pausesMs = [250, 500, 1000] as const
const longestPauseMs = 2000

/** How long an answer is waited for: what shrinks risk is worth more patience than what takes it. */
const urgentPatienceMs = 15_000
const usualPatienceMs = 5000

/** The venue's answer where it was asked too often; a later question may be answered. */
const tooOften = 'E603'

type NoAnswer = ({ outcome: 'refused' } & Failure) | { outcome: 'unreachable'; cause: string }

/** What follows where a question had no answer: it is asked again after a pause, or refused for good. */
export function afterNoAnswer(
  before: AskedInVain | undefined,
  answer: NoAnswer,
  isUrgent: boolean,
  now: number,
): { inVain: AskedInVain; notBefore: number } | { ending: Ending } {
  if (answer.outcome === 'refused' && answer.code !== tooOften) {
    return { ending: failed(answer.code, answer.error) }
  }
  const failure =
    answer.outcome === 'refused'
      ? { code: answer.code, error: answer.error }
      : { code: 'E601', error: `The exchange could not be asked: ${answer.cause}` }
  const times = (before?.times ?? 0) + 1
  const inVain = { since: before?.since ?? now, times, isUrgent, failure }
  return { inVain, notBefore: now + (pausesMs[times - 1] ?? longestPauseMs) }
}

/** True once a question is not asked any more; an entry would be too old after its bot's limit anyway. */
export function isOutOfPatience(
  { since, isUrgent }: AskedInVain,
  { maxEntryAgeMs }: Pick<BotLimits, 'maxEntryAgeMs'>,
  now: number,
): boolean {
  if (isUrgent) return now - since >= urgentPatienceMs
  return now - since >= usualPatienceMs || now - since >= maxEntryAgeMs
}
