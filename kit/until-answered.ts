import { setTimeout as sleep } from 'node:timers/promises'
import { ErrorCode, NatsError } from 'nats'
import { steadyNow } from './clock.ts'

const answeredWithinMs = 60_000
const askAgainMs = 250

/** Does again what may be done twice, as long as the bus does not answer: it may just be starting anew. */
export async function untilAnswered(act: () => Promise<void>, now = steadyNow): Promise<void> {
  const deadline = now() + answeredWithinMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isUnanswered(error) || now() >= deadline) throw error
      await sleep(askAgainMs)
    }
  }
}

function isUnanswered(error: unknown): boolean {
  const codes: string[] = [ErrorCode.Timeout, ErrorCode.NoResponders]
  return error instanceof NatsError && codes.includes(error.code)
}
