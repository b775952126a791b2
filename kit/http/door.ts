import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Http } from './http.ts'

/** The way in which a server behind a load balancer comes to its end. */
export interface Door {
  /** True from the announcement on: the process is ready no more, though it goes on answering. */
  isLeaving: () => boolean
  /** Goes on for this long; until then load balancers notice it, and each answer sends its connection elsewhere. */
  announceEnd: (noticeMs: number) => Promise<void>
  /** Resolves once every request is answered, or when the time is over. */
  allAnswered: (withinMs: number) => Promise<void>
}

// A process that stands still has not given notice meanwhile, so the time is counted in steps.
const noticeStepMs = 100

/** Counts a server's requests from now on. */
export function openDoor(http: Http): Door {
  const unanswered = new Set<ServerResponse>()
  let isLeaving = false
  let whenAllAnswered = (): void => undefined
  http.addHook('onRequest', (_request, { raw: response }, done) => {
    unanswered.add(response)
    if (isLeaving) closeAfter(response)
    // Unlike `finish` it also comes when the caller hangs up.
    response.once('close', () => {
      unanswered.delete(response)
      if (unanswered.size === 0) whenAllAnswered()
    })
    done()
  })
  return {
    isLeaving: () => isLeaving,
    announceEnd: async (noticeMs) => {
      isLeaving = true
      for (const response of unanswered) closeAfter(response)
      for (let left = noticeMs; left > 0; left -= noticeStepMs) await sleep(Math.min(left, noticeStepMs))
    },
    allAnswered: async (withinMs) => {
      if (unanswered.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenAllAnswered = resolve
      const overdue = setTimeout(resolve, withinMs)
      await promise
      clearTimeout(overdue)
    },
  }
}

/** The connection ends with this answer, so that nothing is sent on it that would meet its end. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
