import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../domain/fault.ts'
import type { Answer, Reply } from './message.ts'

/** How a request is bent: the venue's clock runs ahead by the skew, reads show what was true the lag ago. */
export type Bent = Readonly<{ skewMs: number; lagMs: number }>

/** A request that nothing bends. */
export const STRAIGHT: Bent = { skewMs: 0, lagMs: 0 }

/** What a wire can do with one request; everything but `attempt` leaves the venue as it was. */
export type Attempt = Readonly<{
  /** Does what is asked, now. */
  attempt: (bent: Bent) => Answer
  dropped: () => void
  rejected: (code: number, message: string | undefined) => Answer
  /** The venue's words with a status, before anything was done. */
  refusedWith: (status: number) => Answer
  /** The same after the request was carried out. */
  hiddenBehind: (status: number) => Answer
}>

/** Ends a request the way the faults want that struck it; of those that end it, the oldest acts. */
export async function endFaulty(
  request: Attempt,
  struck: readonly Fault[],
  reply: Reply,
  stopping: AbortSignal,
): Promise<void> {
  const fault = struck.find(({ action }) => action !== 'clock-skew' && action !== 'read-lag')
  const bent = { skewMs: sumOf(struck, 'clock-skew'), lagMs: sumOf(struck, 'read-lag') }
  const wait = (ms: number) => sleep(ms, undefined, { signal: stopping })
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
      return reply.send(request.refusedWith(fault.status))
    case 'delay':
      await wait(fault.ms)
  }
  const answer = request.attempt(bent)
  switch (fault?.action) {
    case 'accept-then-drop':
      return reply.drop()
    case 'accept-then-delay':
      await wait(fault.ms)
      return reply.send(answer)
    case 'accept-then-status':
      return reply.send(request.hiddenBehind(fault.status))
    case 'stall-body':
      return reply.stall(answer, fault.ms)
    default:
      return reply.send(answer)
  }
}

function sumOf(struck: readonly Fault[], action: 'clock-skew' | 'read-lag'): number {
  return struck.reduce((sum, fault) => (fault.action === action ? sum + fault.ms : sum), 0)
}
