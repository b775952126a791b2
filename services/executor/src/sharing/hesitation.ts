import { steadyNow } from '@tripline/kit/time/clock'
import type { Members } from './members.ts'

/** For how long nothing is given up after something had to be taken back. */
const hesitateMs = 10_000

/** Hand-overs among these members had to be taken back: for some time there are no more. */
export interface Hesitation {
  members: string
  ms: number
  until: number
}

interface Hesitant {
  members: Pick<Members, 'present'>
  hesitation: Hesitation | undefined
}

/** Each time for twice as long, as long as the same members are there. */
export function hesitate(state: Hesitant): void {
  const { hesitation } = state
  if (hesitation !== undefined && steadyNow() < hesitation.until) return
  const members = nameOf(state)
  const ms = hesitation?.members === members ? hesitation.ms * 2 : hesitateMs
  state.hesitation = { members, ms, until: steadyNow() + ms }
}

export function isHesitant(state: Hesitant): boolean {
  const { hesitation } = state
  return hesitation !== undefined && hesitation.members === nameOf(state) && steadyNow() < hesitation.until
}

function nameOf({ members }: Hesitant): string {
  return members.present().toSorted().join(' ')
}
