import { setTimeout as sleep } from 'node:timers/promises'
import { ErrorCode, NatsError } from 'nats'
import { steadyNow } from '../time/clock.ts'
import { StreamRefusal } from './acknowledged-publish.ts'
import { NoAnswerError, NobodyThereError } from './bus-request.ts'

const answeredWithinMs = 60_000
const askAgainMs = 250

interface Patience {
  /** No further attempt is begun after this time. */
  withinMs?: number
  now?: () => number
}

/** Repeats what may be done twice, as long as the bus does not answer: it may be starting anew, or choosing a leader. */
export async function untilAnswered<Value>(
  act: () => Promise<Value>,
  { withinMs = answeredWithinMs, now = steadyNow }: Patience = {},
): Promise<Value> {
  const deadline = now() + withinMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isUnanswered(error) || now() >= deadline) throw error
      await sleep(askAgainMs)
    }
  }
}

const silences: readonly string[] = [ErrorCode.Timeout, ErrorCode.NoResponders]

function isUnanswered(error: unknown): boolean {
  if (error instanceof NobodyThereError || error instanceof NoAnswerError) return true
  if (error instanceof StreamRefusal) return leaderless.has(error.code)
  if (!(error instanceof NatsError)) return false
  return silences.includes(error.code) || leaderless.has(error.jsError()?.err_code ?? 0)
}

/** JetStream's codes for what no server leads, or not the one that was asked. */
const leaderless = new Set([10_008, 10_009])
