import { formatTrimmed } from '../domain/fixed.ts'
import type { ArmedFault } from '../store/faults.ts'

const RATIO_PLACES = 6

/** An armed fault as it was asked for, with its id and how often it may still strike. */
export function describeFault({ id, fault, left }: ArmedFault) {
  if (fault.action !== 'partial-fill') return { id, ...fault, left }
  return { id, ...fault, ratio: formatTrimmed(fault.ratio, RATIO_PLACES), left }
}
