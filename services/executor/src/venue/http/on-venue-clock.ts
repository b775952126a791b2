import type { Endpoint } from '../endpoint.ts'
import type { Fence } from './fence.ts'

/** The clock that a request is signed by. */
interface VenueClock {
  endpoint: Pick<Endpoint, 'measureClock'>
  /** True where the venue refused a request for the moment that it was signed for: nothing of it was done. */
  blamesClock: (error: unknown) => boolean
  /** The fence of a request that changes something. */
  fence?: Fence
}

/**
 * Repeats a request once, signed anew, that was refused for the moment it was signed for. One that changes something is
 * signed only by a lease that was renewed since, as this process may have stood still for longer than it knows.
 */
export async function onVenueClock<Answer>(
  { endpoint, blamesClock, fence }: VenueClock,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await attempt()
  } catch (error) {
    if (!blamesClock(error)) throw error
    fence?.doubt()
    await endpoint.measureClock()
    await fence?.proven()
    return await attempt()
  }
}
