import { setTimeout as sleep } from 'node:timers/promises'
import { steadyNow } from '@tripline/kit/time/clock'
import { excessOf } from '../domain/sharing/share.ts'
import type { HeldLease } from './held-lease.ts'
import { isHesitant } from './hesitation.ts'
import { claimEveryMs, holdingsOf, type SharingState } from './state.ts'

/** Count handed over at a time: new owners open the clients of their bots meanwhile. */
const handOverTogether = 8
/** The same at the end: few enough that they are soon served. */
const leaveTogether = 4
/** For how long it goes so slowly at the end; then all that is left goes at once. */
const leaveSlowlyMs = 3000
/** Time before the first one goes: till then the others know of it, and begin to get ready. */
const announceMs = claimEveryMs + 50
/** Interval of looking whether given partitions are served. */
const lookMs = 5

/** Hands over what others are to have, some at a time: the next ones when the last ones were taken. */
export function giveUpExcess(state: SharingState): void {
  const { owner, members, held, served, taking, leaving, offered, loadOf, epochs } = state
  // Nobody could take them.
  if (!epochs.isUp()) return
  if (taking.size > 0 || leaving.size > 0 || offered.size > 0) return
  if (members.isOneTaking() || isHesitant(state)) return
  const excess = excessOf(owner, holdingsOf(state))
  if (excess === 0) return
  const chosen = [...held.values()]
    .filter(({ partition }) => served.has(partition))
    .toSorted((one, other) => loadOf(one.partition) - loadOf(other.partition))
    .slice(0, Math.min(excess, handOverTogether))
  state.log.info({ count: chosen.length }, 'partitions given up')
  for (const lease of chosen) leaving.set(lease.partition, giveUp(state, lease))
}

/** Hands over everything, the busiest last: some at a time while others can take them, and after some time all the rest. */
export async function giveUpAll(state: SharingState): Promise<void> {
  const { held, members, loadOf } = state
  const until = steadyNow() + leaveSlowlyMs
  const isSlow = (): boolean => steadyNow() < until && members.present().length > 1
  if (isSlow()) await sleep(announceMs)
  const left = [...held.values()].toSorted((one, other) => loadOf(one.partition) - loadOf(other.partition))
  const going: Promise<unknown>[] = []
  let areGone = true
  while (left.length > 0) {
    while (isSlow() && !(areGone && isServedElsewhere(state))) await sleep(lookMs)
    const together = left.splice(0, isSlow() ? leaveTogether : left.length)
    const gone = Promise.all(together.map(async (lease) => await giveUp(state, lease)))
    areGone = false
    void Promise.allSettled([gone]).then(() => {
      areGone = true
    })
    going.push(gone)
  }
  await Promise.all(going)
}

function isServedElsewhere({ offered, members }: SharingState): boolean {
  return offered.size === 0 && !members.isOneTaking()
}

async function giveUp(state: SharingState, lease: HeldLease): Promise<void> {
  const { partition } = lease
  const { isSettled, ended } = await state.onGivingUp(partition)
  if (isSettled) state.offered.add(partition)
  await letGo(state, lease, isSettled)
  state.onGone(partition)
  void ended.finally(() => state.leaving.delete(partition))
}

/** Holds a lease no more. One that is not released runs out, and says that its owner did not die. */
async function letGo(state: SharingState, lease: HeldLease, isReleased: boolean): Promise<void> {
  const { owner, place, leases, held, seen, served } = state
  const { partition } = lease
  const { revision, ...left } = await lease.letGo()
  held.delete(partition)
  served.delete(partition)
  const mine = { owner, isReleased: false, ...left, isStopped: true }
  seen.set(partition, { ...mine, revision, isNews: true, unchangedSince: steadyNow() })
  const { overtaken, epoch } = left
  const last = isReleased ? { owner, isReleased, overtaken, epoch } : { ...mine, place: place?.name }
  await leases.write({ partition, ...last }, revision).catch((error: unknown) => {
    state.log.warn({ err: error, partition }, 'lease not released, it runs out')
  })
}
