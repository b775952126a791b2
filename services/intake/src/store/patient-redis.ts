import type { Log } from '@tripline/kit/log'
import type { Redis } from '@tripline/kit/redis'

const probeMs = 250

/** A Redis that may be away: alerts go on without it. */
export interface PatientRedis {
  /** What Redis answers, or undefined while it is away; never throws, and commands keep their order. */
  ask: <Answer>(command: (redis: Redis) => Promise<Answer>) => Promise<Answer | undefined>
  /** Resolves once the first connection stands, or when the time is over. */
  connected: (withinMs: number) => Promise<void>
  /** Lets what was asked last arrive, as far as Redis is there, and closes the connection. */
  stop: () => Promise<void>
}

/**
 * Asks Redis as long as it answers. After the first command that fails or comes too late it is left alone until it
 * answers a probe, so that a Redis that hangs delays only the alerts of that moment.
 */
export function askPatiently(redis: Redis, log: Log): PatientRedis {
  let probing: NodeJS.Timeout | undefined
  let isStopped = false
  const probe = (): void => {
    probing = setTimeout(() => {
      redis.ping().then(
        () => {
          probing = undefined
          log.info('redis is back')
        },
        () => isStopped || probe(),
      )
    }, probeMs).unref()
  }
  const leaveAlone = (cause: unknown): void => {
    if (probing !== undefined || isStopped) return
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
    connected: async (withinMs) => {
      if (redis.status === 'ready') return
      const { promise, resolve } = Promise.withResolvers<void>()
      const overdue = setTimeout(resolve, withinMs)
      redis.once('ready', resolve)
      await promise
      clearTimeout(overdue)
    },
    stop: async () => {
      isStopped = true
      clearTimeout(probing)
      await redis.quit().catch(() => undefined)
      redis.disconnect()
    },
  }
}
