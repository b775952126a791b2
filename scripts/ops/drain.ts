import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { now } from '@tripline/kit/time/clock'
import { drainExecutor } from '@tripline/proto/executor-request'
import { isSeenLately, readStatus } from './status.ts'

// An executor settles what is in flight for at most 5 s.
const drainMs = 15_000

/** Has an executor hand over all that it holds. Refuses where no other is there to take it, unless it is forced. */
export async function drain(bus: Bus, owner: string, isForced: boolean): Promise<void> {
  const { executors } = await readStatus(bus, now())
  const others = executors.filter((one) => one.owner !== owner)
  if (others.length === executors.length) throw new Error(`There is no executor ${owner}; status lists them`)
  const isOneThere = others.some(isSeenLately)
  if (!isOneThere && !isForced)
    throw new Error(
      `Nobody else would run alerts: they would all wait. --force drains ${owner} all the same.`,
    )
  await sendRequest(bus, drainExecutor(owner), {}, { timeoutMs: drainMs })
}
