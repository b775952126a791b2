import type { BotLimits } from '../account/permit.ts'
import { isTooOften } from '../order/attempt.ts'
import { type Ending, type Failure, failed } from '../order/ending.ts'

/** A question that had no answer so far. To ask it again changes nothing at the venue. */
export interface Unanswered {
  /** When it first had none. */
  since: number
  times: number
  /** An exit or a cancel depends on it. */
  isUrgent: boolean
  /** The command's failure where there is no answer at last. */
  failure: Failure
}

const pausesMs = [250, 500, 1000, 2000, 2000, 2000, 2000, 2000, 2000] as const
const longestPauseMs = 5000

const usualPatienceMs = 5000
/** Time after which a person is notified that an exit or a cancel is still being tried. */
const longUnansweredMs = 15_000

type NoAnswer = ({ outcome: 'refused' } & Failure) | { outcome: 'unreachable'; cause: string }

/** Returns the state after a question without an answer: it is asked again after a pause, or its refusal is final. */
export function afterNoAnswer(
  before: Unanswered | undefined,
  answer: NoAnswer,
  isUrgent: boolean,
  now: number,
): { unanswered: Unanswered; notBefore: number } | { ending: Ending } {
  if (answer.outcome === 'refused' && !isTooOften(answer)) {
    return { ending: failed(answer.code, answer.error) }
  }
  const failure =
    answer.outcome === 'refused'
      ? { code: answer.code, error: answer.error }
      : { code: 'E601', error: `The exchange could not be asked: ${answer.cause}` }
  const times = (before?.times ?? 0) + 1
  const unanswered = { since: before?.since ?? now, times, isUrgent, failure }
  return { unanswered, notBefore: now + (pausesMs[times - 1] ?? longestPauseMs) }
}

/** True once an exit or a cancel has been tried for so long that a person should know, and others need not wait for it. */
export function isLongUnanswered(since: number, now: number): boolean {
  return now - since >= longUnansweredMs
}

/** True once a question is not asked any more; an entry would be too old after its bot's limit anyway. */
export function isOutOfPatience(
  { since, isUrgent }: Unanswered,
  limits: Pick<BotLimits, 'maxEntryAgeMs' | 'exitRetryMs'>,
  now: number,
): boolean {
  if (isUrgent) return isTriedOut(since, limits, now)
  return now - since >= usualPatienceMs || now - since >= limits.maxEntryAgeMs
}

/**
 * True once an exit or a cancel has been tried for as long as its bot has it, and for as long as an entry: a command that
 * shrinks risk is worth no less patience than one that takes it.
 */
export function isTriedOut(
  since: number,
  { exitRetryMs }: Pick<BotLimits, 'exitRetryMs'>,
  now: number,
): boolean {
  const triedMs = now - since
  return triedMs >= usualPatienceMs && triedMs >= exitRetryMs
}
