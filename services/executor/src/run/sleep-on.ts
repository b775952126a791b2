import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '@tripline/kit/time/clock'
import { next } from '../domain/execution/execution.ts'
import type { Execution } from '../domain/execution/state.ts'
import { InterruptedError, type Run } from './drive.ts'

/** Time in which a sleeper notices that its bot was stopped. */
const lookUpEveryMs = 500

/** Sleeps until the execution has something to do again: its wait is over, or its bot was stopped. */
export async function sleepOn(execution: Execution, { limits, stopping }: Run): Promise<Execution> {
  for (;;) {
    const step = next(execution, limits(), now())
    if (step.do !== 'sleep') return execution
    if (stopping.aborted) throw new InterruptedError(execution)
    const ms = Math.min(lookUpEveryMs, step.until - now())
    await sleep(Math.max(0, ms), undefined, { signal: stopping }).catch(() => undefined)
  }
}
