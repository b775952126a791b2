import type { AccountEars, Attendance } from './account-ears.ts'
import { unusedMs } from './keep-view.ts'
import type { Room } from './room.ts'

/** The private stream of an account that places orders: it tells what their answers leave out, without a request. */
export interface KeptStream {
  /** Keeps it for some minutes from now on, where there is room for it. */
  use: () => void
  stop: () => void
}

export interface StreamSource {
  /** Whether there is room for one more connection; what was taken is to be given back. */
  room: Room
  attend: (ears: AccountEars) => Attendance
  /** True while somebody else keeps a stream that tells. */
  isLive: () => boolean
}

const silent: AccountEars = {
  onLive: () => undefined,
  onDown: () => undefined,
  onNews: () => undefined,
  onFill: () => undefined,
  onOrder: () => undefined,
  onSettings: () => undefined,
}
const checkEveryMs = 60_000

/** A stream that nobody uses yet. */
export function keepStream({ room, attend, isLive }: StreamSource): KeptStream {
  let kept: { attendance: Attendance; checking: NodeJS.Timeout } | undefined
  let usedAt = 0
  let isStopped = false

  const end = (): void => {
    if (kept === undefined) return
    clearInterval(kept.checking)
    kept.attendance.stop()
    kept = undefined
    room.giveBack()
  }
  const endUnused = (): void => {
    if (performance.now() - usedAt > unusedMs) end()
  }
  return {
    use: () => {
      usedAt = performance.now()
      if (isStopped || kept !== undefined || isLive() || !room.take()) return
      kept = { attendance: attend(silent), checking: setInterval(endUnused, checkEveryMs).unref() }
    },
    stop: () => {
      isStopped = true
      end()
    },
  }
}
