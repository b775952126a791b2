import type { Command } from '@tripline/proto/alert-tree'
import type { LegsRecord } from '../group/legs-record.ts'
import { type Ending, failed } from '../order/ending.ts'
import { placesOrders } from '../resolve/command.ts'
import type { Execution, Step } from './state.ts'

const notAgain =
  'This alert came back with a back-up, or as the bus had lost what it stored last, and the exchange has no such order; nothing is sent again by itself'
const notRepeated =
  'This alert came back with a back-up, or as the bus had lost what it stored last; whether this was done before is not known, and it is not done again'
const lookThere =
  'This alert came back with a back-up, or as the bus had lost what it stored last, without what was known of its orders; look at the exchange for them'

/** Ending of a command whose only order is unknown to the exchange. */
export const notSentAgain: Ending = failed('E515', notAgain)

/**
 * Returns the ending of a restored alert's command instead of this step; undefined where the step may be taken. Acts
 * after the back-up left no trace here: an order that is not found may stand behind one that was, and a command without
 * orders was done or was not. So only steps that ask are taken, and steps that complete a stored record.
 */
export function endingInstead({ commands, outcomes, current }: Execution, step: Step): Ending | undefined {
  const type = commands[outcomes.length]?.type
  switch (step.do) {
    case 'place':
    case 'placeOco':
    case 'takeBack':
    case 'beginSale':
      return failed('E602', lookThere)
    case 'read':
      return type === 'balance' ? undefined : failed('E602', lookThere)
    case 'record':
      return isBegunAnew(current, step.record) ? failed('E602', lookThere) : undefined
    case 'cancel':
      return current.stored === undefined ? failed('E515', notRepeated) : undefined
    case 'list':
    case 'endWatches':
    case 'change':
    case 'keepProgress':
      return failed('E515', notRepeated)
    default:
      return undefined
  }
}

/** True for a group that nothing is known of, or that is to be undone: its present state may be as it was meant. */
function isBegunAnew({ stored }: Execution['current'], { failure }: LegsRecord): boolean {
  return stored === undefined || (failure !== undefined && stored.record.failure === undefined)
}

/** True where an order of a restored alert is asked for, even behind a command that failed for all that is known. */
export function isSought({ isRestored, current }: Execution, command: Command): boolean {
  return isRestored && current.ending === undefined && placesOrders(command)
}

/** True where a wait that is known of goes on: nothing behind it can have been done. */
export function isStillAsleep(sleep: { wakeAt: number } | undefined, now: number): boolean {
  return sleep !== undefined && now < sleep.wakeAt
}
