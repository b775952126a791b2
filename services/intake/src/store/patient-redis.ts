import type { Log } from '@tripline/kit/log'
import type { Redis } from '@tripline/kit/redis'

const probeMs = 250

/** A Redis that may be away: alerts go on without it. */
export interface PatientRedis {
  /** What Redis answers, or undefined while it is away; never throws, and commands keep their order. */
  ask: <Answer>(command: (redis: Redis) => Promise<Answer>) => Promise<Answer | undefined>
  stop: () => void
}

/**
 * Asks Redis as long as it answers. After the first command that fails or comes too late it is left alone until it
 * answers a probe, so that a Redis that hangs delays only the alerts of that moment.
 */
export function askPatiently(redis: Redis, log: Log): PatientRedis {
  let probing: NodeJS.Timeout | undefined
  const probe = (): void => {
    probing = setTimeout(() => {
      redis.ping().then(
        () => {
          probing = undefined
          log.info('redis is back')
        },
        () => probe(),
      )
    }, probeMs).unref()
  }
  const leaveAlone = (cause: unknown): void => {
    if (probing !== undefined) return
    log.warn({ err: cause }, 'redis is away, limits and repeats are judged locally')
    probe()
  }
  return {
    ask: async (command) => {
      if (probing !== undefined || redis.status !== 'ready') return undefined
      try {
        return await command(redis)
      } catch (error) {
        leaveAlone(error)
        return undefined
      }
    },
    stop: () => clearTimeout(probing),
  }
}
