import type { Http } from '@tripline/kit/http'

/** The requests that are not answered yet. */
export interface InFlight {
  /** Resolves once there are none, or when the time is over; from then on each answer closes its connection. */
  none: (withinMs: number) => Promise<void>
}

/** Counts a server's requests from now on. */
export function countInFlight(http: Http): InFlight {
  let count = 0
  let isEnding = false
  let whenNone = (): void => undefined
  const leave = (): void => {
    count--
    if (count === 0) whenNone()
  }
  http.addHook('onRequest', (_request, reply, done) => {
    count++
    // Unlike `finish` it also comes when the caller hangs up.
    reply.raw.once('close', leave)
    done()
  })
  http.addHook('onSend', (_request, reply, payload, done) => {
    if (isEnding) reply.header('connection', 'close')
    done(null, payload)
  })
  return {
    none: async (withinMs) => {
      isEnding = true
      if (count === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenNone = resolve
      const overdue = setTimeout(resolve, withinMs)
      await promise
      clearTimeout(overdue)
    },
  }
}
