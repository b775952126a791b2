import type { ScriptCall } from './redis-script.ts'

/** Scripts that can wait until the alert at hand is on its way; they run in order. */
export interface Afterwards {
  /** Has it run with what waits already, some ms later at most; calls back with its reply, if there is one. */
  add: (call: ScriptCall, onReply?: (reply: unknown) => void) => void
  /** Runs at once what still waits. */
  doAll: () => void
}

// A command costs more than what is in it, and nobody decides anything on these in this time.
const gatherMs = 10
const mostGathered = 100

/** Nothing to run yet; `run` answers nothing while Redis is away. */
export function openAfterwards(
  run: (calls: readonly ScriptCall[]) => Promise<readonly unknown[] | undefined>,
): Afterwards {
  let waiting: { call: ScriptCall; onReply: ((reply: unknown) => void) | undefined }[] = []
  let gathering: NodeJS.Timeout | undefined
  const doAll = (): void => {
    clearTimeout(gathering)
    gathering = undefined
    if (waiting.length === 0) return
    const due = waiting
    waiting = []
    void run(due.map(({ call }) => call)).then((replies) => {
      for (const [index, { onReply }] of due.entries()) if (replies !== undefined) onReply?.(replies[index])
    })
  }
  return {
    add: (call, onReply) => {
      waiting.push({ call, onReply })
      if (waiting.length >= mostGathered) doAll()
      else gathering ??= setTimeout(doAll, gatherMs)
    },
    doAll,
  }
}
