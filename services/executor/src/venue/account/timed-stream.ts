import type { Venue } from '../venue.ts'
import type { Semaphore } from './account-slots.ts'
import { unusedMs } from './live-view.ts'

/** The private stream of an account that places orders: it reports what their answers leave out, without a request. */
export interface TimedStream {
  /** Has it open for some minutes from now on, where there is room for it. */
  use: () => void
  stop: () => void
}

export interface StreamSource {
  /** Room for one more connection; a place that was taken is to be given back. */
  room: Semaphore
  follow: NonNullable<Venue['follow']>
  /** True while a stream that reports is open for another follower. */
  isLive: () => boolean
}

const checkEveryMs = 60_000

/** A stream that is not in use yet. */
export function openTimedStream({ room, follow, isLive }: StreamSource): TimedStream {
  let running: { stop: () => void; checking: NodeJS.Timeout } | undefined
  let usedAt = 0
  let isStopped = false

  const end = (): void => {
    if (running === undefined) return
    clearInterval(running.checking)
    running.stop()
    running = undefined
    room.release()
  }
  const endUnused = (): void => {
    if (performance.now() - usedAt > unusedMs) end()
  }
  return {
    use: () => {
      usedAt = performance.now()
      if (isStopped || running !== undefined || isLive() || !room.acquire()) return
      running = { stop: follow(() => undefined), checking: setInterval(endUnused, checkEveryMs).unref() }
    },
    stop: () => {
      isStopped = true
      end()
    },
  }
}
