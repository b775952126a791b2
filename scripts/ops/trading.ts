import { readBucket } from '@tripline/kit/bucket'
import type { Bus } from '@tripline/kit/bus'
import { ask } from '@tripline/kit/request'
import { UserId } from '@tripline/proto/id'
import { getUserTrading, updateUserTrading } from '@tripline/proto/key-request'
import { TradingState } from '@tripline/proto/user-config'
import { z } from 'zod'

/** A user whose trading was paused: how they traded before, and how since. */
export const Paused = z.object({ userId: UserId, before: TradingState, since: TradingState })
export type Paused = z.infer<typeof Paused>

const strictness: readonly TradingState[] = ['active', 'reducing', 'halted']

/** Lets every user trade no more than this; whoever may do less keeps that. Answers whom it changed, one by one. */
export async function pauseAll(
  bus: Bus,
  state: Exclude<TradingState, 'active'>,
  onPaused: (paused: Paused) => void,
): Promise<void> {
  for (const userId of await readUsers(bus)) {
    const { state: before } = await ask(bus, getUserTrading, { userId })
    if (strictness.indexOf(before) >= strictness.indexOf(state)) continue
    await ask(bus, updateUserTrading, { userId, state })
    onPaused({ userId, before, since: state })
  }
}

/** Lets users trade again as they did; whoever has chosen something else since keeps that. Answers how many. */
export async function resumeAll(bus: Bus, paused: readonly Paused[]): Promise<number> {
  let resumed = 0
  for (const { userId, before, since } of paused) {
    const { state } = await ask(bus, getUserTrading, { userId })
    if (state !== since) continue
    await ask(bus, updateUserTrading, { userId, state: before })
    resumed++
  }
  return resumed
}

async function readUsers(bus: Bus): Promise<UserId[]> {
  const configs = await readBucket(bus, 'config')
  return configs.flatMap(({ key, text }) => (text === undefined ? [] : [UserId.parse(key)]))
}
