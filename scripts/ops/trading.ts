import { readBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { UserId } from '@tripline/proto/id'
import { getUserTrading, updateUserTrading } from '@tripline/proto/key-request'
import { TradingState } from '@tripline/proto/user-config'
import { z } from 'zod'

/** A user whose trading was paused: how they traded before, and how since. */
export const Paused = z.object({ userId: UserId, before: TradingState, since: TradingState })
export type Paused = z.infer<typeof Paused>

const strictness: readonly TradingState[] = ['active', 'reducing', 'halted']

/**
 * Lets every user trade no more than this; whoever may do less keeps that. Returns whom it is about to change, one by one:
 * what is noted of one whose change then fails is not true of them, and is not taken back.
 */
export async function pauseAll(
  bus: Bus,
  state: Exclude<TradingState, 'active'>,
  onPausing: (paused: Paused) => void,
): Promise<void> {
  for (const userId of await readUsers(bus)) {
    const { state: before } = await sendRequest(bus, getUserTrading, { userId })
    if (strictness.indexOf(before) >= strictness.indexOf(state)) continue
    onPausing({ userId, before, since: state })
    await sendRequest(bus, updateUserTrading, { userId, state })
  }
}

/**
 * Lets users trade again as they did before the first of these pauses; whoever has chosen something else since keeps
 * that. Returns how many it changed.
 */
export async function resumeAll(bus: Bus, paused: readonly Paused[]): Promise<number> {
  const resumed = new Set<UserId>()
  // Two pauses of a user are taken back from the last to the first.
  for (const { userId, before, since } of paused.toReversed()) {
    const { state } = await sendRequest(bus, getUserTrading, { userId })
    if (state !== since) continue
    await sendRequest(bus, updateUserTrading, { userId, state: before })
    resumed.add(userId)
  }
  return resumed.size
}

async function readUsers(bus: Bus): Promise<UserId[]> {
  const configs = await readBucket(bus, 'config')
  return configs.flatMap(({ key, text }) => (text === undefined ? [] : [UserId.parse(key)]))
}
