import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { limitConcurrency } from '@tripline/kit/concurrency-limit'
import { testKey } from '@tripline/proto/executor-request'
import type { Tasks } from '../side-thread/tasks.ts'

// A test waits for the exchange most of its time, and building its client takes 10 ms of a processor.
const limits = {
  atOnce: 8,
  waiting: 16,
  refusal: 'Many API keys are being tested now, please try again in a moment',
}

/** Serves `executor.key.test` from the side thread. */
export function answerKeyTests(bus: Bus, { testKey: test }: Pick<Tasks, 'testKey'>): () => void {
  const limited = limitConcurrency(limits)
  return serve(bus, testKey, async (bot) => await limited(async () => await test(bot)))
}
