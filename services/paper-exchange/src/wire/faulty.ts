import { setTimeout as sleep } from 'node:timers/promises'
import type { StruckFault } from '../store/faults.ts'
import type { Lateness } from '../store/lateness.ts'
import type { Entry } from '../store/ledger.ts'
import type { Answer, Reply } from './message.ts'

/** The distortion of a request: the venue's clock runs ahead by the skew, reads show what was true the lag ago. */
export type Bent = Readonly<{ skewMs: number; lagMs: number }>

/** A request that nothing bends. */
export const STRAIGHT: Bent = { skewMs: 0, lagMs: 0 }

/**
 * The moment whose state a read of the account shows: all that was until then, and all there is where it is not late.
 * Nothing from before control set the account is shown after it.
 */
export function momentShown(lateness: Lateness, entry: Entry, { lagMs }: Bent, now: number): number {
  const lateMs = lagMs + lateness(entry)
  return lateMs === 0 ? Number.POSITIVE_INFINITY : Math.max(now - lateMs, entry.setAt)
}

/** A status of a venue in trouble, and for how long it wants to be left alone where not as usual. */
export type Trouble = Readonly<{ status: number; retryAfterS?: number | undefined }>

/** A wire's acts on one request; everything but `attempt` leaves the venue as it was. */
export type Attempt = Readonly<{
  /** Does what is asked, now. */
  attempt: (bent: Bent) => Answer
  dropped: () => void
  rejected: (code: number, message: string | undefined) => Answer
  /** The venue's words with a status, before anything was done. */
  refusedWith: (trouble: Trouble) => Answer
  /** The same after the request was carried out. */
  hiddenBehind: (trouble: Trouble) => Answer
}>

/** Ends a request the way the faults want that struck it; of those that end it, the oldest acts. */
export async function endFaulty(
  request: Attempt,
  struck: readonly StruckFault[],
  reply: Reply,
  stopping: AbortSignal,
): Promise<void> {
  const fault = struck.find(({ action }) => action !== 'clock-skew' && action !== 'read-lag')
  const bent = { skewMs: sumOf(struck, 'clock-skew'), lagMs: sumOf(struck, 'read-lag') }
  switch (fault?.action) {
    case 'drop':
      request.dropped()
      return reply.drop()
    case 'disconnect':
      request.dropped()
      return reply.hangUp()
    case 'reject':
      return reply.send(request.rejected(fault.code, fault.message))
    case 'status':
      return reply.send(request.refusedWith(fault))
    case 'delay':
      await waitOut(fault, fault.ms, stopping)
  }
  const answer = request.attempt(bent)
  switch (fault?.action) {
    case 'accept-then-drop':
      return reply.drop()
    case 'accept-then-delay':
      await waitOut(fault, fault.ms, stopping)
      return reply.send(answer)
    case 'accept-then-status':
      return reply.send(request.hiddenBehind(fault))
    case 'stall-body':
      return reply.stall(answer, waitOut(fault, fault.ms, stopping))
    default:
      return reply.send(answer)
  }
}

/** Settles once the time is over or the fault is removed; throws when the exchange stops. */
async function waitOut({ removed }: StruckFault, ms: number, stopping: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([removed, stopping])
  await sleep(ms, undefined, { signal }).catch(() => stopping.throwIfAborted())
}

function sumOf(struck: readonly StruckFault[], action: 'clock-skew' | 'read-lag'): number {
  return struck.reduce((sum, fault) => (fault.action === action ? sum + (fault.ms ?? 0) : sum), 0)
}
