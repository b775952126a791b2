import type { AlertBlock } from '@tripline/proto/alert'
import type { UserId } from '@tripline/proto/id'
import { mayHaveGoneOn, staysInLane } from '../domain/execution/begun-order.ts'
import type { Execution } from '../domain/execution/state.ts'

/** A lane that a former owner ran in order. */
export interface PriorLane {
  /** Whether it may have begun the next block of it. */
  mayBeBegun: Promise<boolean>
  /** Count of its blocks that were seen. */
  blocks: number
  /** From behind which of them on nothing was begun. */
  unbegunFrom: number
}

/** A block's turn in such a lane: behind one that was not begun, nothing was. */
export type PriorTurn = ReturnType<typeof turnIn>

/** Returns the turn of a block in its lane; undefined where the order of that says nothing of it. */
export function enterPriorLane(
  begun: Map<string, PriorLane> | undefined,
  userId: UserId,
  { botId, symbol, commands }: AlertBlock,
): PriorTurn | undefined {
  if (begun === undefined || !staysInLane(commands)) return undefined
  const name = `${userId} ${botId} ${symbol}`
  const unknown = { mayBeBegun: Promise.resolve(true), blocks: 0, unbegunFrom: Number.POSITIVE_INFINITY }
  const lane = begun.get(name) ?? unknown
  begun.set(name, lane)
  return turnIn(lane, lane.blocks++)
}

function turnIn(lane: PriorLane, turn: number) {
  return {
    /** The evidence of what was done; only gathered where the block may have been begun. */
    evidence: (
      start: Execution,
      gather: () => Promise<Execution>,
      unbegun: () => Execution,
    ): Promise<Execution> => {
      const evidence = lane.mayBeBegun.then(async (mayBeBegun) =>
        mayBeBegun || start.outcomes.length > 0 ? await gather() : unbegun(),
      )
      lane.mayBeBegun = evidence.then(mayHaveGoneOn, () => true)
      return evidence
    },
    /** True where one before it has run meanwhile and was found not to have been begun. */
    isUnbegun: ({ outcomes, notAbsentBefore, current }: Execution): boolean => {
      const isOpen = notAbsentBefore !== undefined && outcomes.length === 0 && current.stored === undefined
      return isOpen && lane.unbegunFrom < turn
    },
    /** Notes how the block ended: where its own order was not there before, nothing behind it was begun. */
    noteEnd: ({ notAbsentBefore }: Execution): void => {
      if (notAbsentBefore === undefined) lane.unbegunFrom = Math.min(lane.unbegunFrom, turn)
    },
  }
}
