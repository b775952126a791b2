import { setTimeout as sleep } from 'node:timers/promises'

// After a reading that came too early, and twice as long after each further one.
const askAgainMs = 25
const longestPauseMs = 1000

/** Asks until the answer shows what it has to. */
export async function askUntil<Answer>(
  ask: () => Promise<Answer>,
  isShown: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let pauseMs = askAgainMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const answer = await ask()
    if (isShown(answer)) return answer
    await sleep(pauseMs)
  }
}
