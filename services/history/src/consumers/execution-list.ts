import type { Bus } from '@tripline/kit/bus'
import { answer } from '@tripline/kit/request'
import { type Execution, listExecutions } from '@tripline/proto/history-request'
import { countExecutions, findExecutions } from '../store/execution.ts'
import type { Db } from '../store/tables.ts'

// A reply on the bus is at most 1 MiB, and one execution can be large: 64 KiB of message and 50 results.
const largestReplyBytes = 700_000

/** Answers lists of executions; answers how to stop. */
export function answerLists(bus: Bus, db: Db): () => void {
  return answer(bus, listExecutions, async ({ offset, limit, ...filter }) => {
    const [executions, total] = await Promise.all([
      findExecutions(db, filter, { offset, limit }),
      countExecutions(db, filter),
    ])
    return { executions: withinReply(executions), total }
  })
}

/** As many of the executions, from the first on, as one reply can carry; the first in any case. */
function withinReply(executions: readonly Execution[]): Execution[] {
  let bytes = 0
  return executions.filter((execution, index) => {
    bytes += Buffer.byteLength(JSON.stringify(execution))
    return index === 0 || bytes <= largestReplyBytes
  })
}
