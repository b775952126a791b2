import type { Redis } from '@tripline/kit/redis'
import type { Log } from '@tripline/kit/telemetry/log'
import { type Afterwards, openAfterwards } from './afterwards.ts'
import { runScripts } from './redis-script.ts'

const probeMs = 250

/** A Redis that may be away: alerts go on without it. */
export interface PatientRedis {
  /** Returns the answer of Redis, or undefined while it is away; never throws, and commands keep their order. */
  ask: <Answer>(command: (redis: Redis) => Promise<Answer>) => Promise<Answer | undefined>
  isThere: () => boolean
  /** Scripts that run once the alert at hand is on its way: all of some ms are one command. */
  afterwards: Afterwards
  /** Calls back each time it is there again, before anything else is asked; it may have forgotten what it knew. */
  onBack: (listener: () => void) => void
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
  const listeners: (() => void)[] = []
  const callBack = (): void => {
    for (const listener of listeners) listener()
  }
  const absence = watchAbsence(redis, log, callBack)
  redis.on('ready', callBack)
  const isThere = (): boolean => !absence.isAway() && redis.status === 'ready'
  const ask: PatientRedis['ask'] = async (command) => {
    if (!isThere()) return undefined
    try {
      return await command(redis)
    } catch (error) {
      absence.begin(error)
      return undefined
    }
  }
  const afterwards = openAfterwards(
    async (calls) => await ask(async (connection) => await runScripts(connection, calls)),
  )
  return {
    isThere,
    afterwards,
    onBack: (listener) => {
      listeners.push(listener)
    },
    ask,
    connected: async (withinMs) => {
      if (redis.status === 'ready') return
      const { promise, resolve } = Promise.withResolvers<void>()
      const overdue = setTimeout(resolve, withinMs)
      redis.once('ready', resolve)
      await promise
      clearTimeout(overdue)
    },
    stop: async () => {
      absence.stop()
      afterwards.doAll()
      await redis.quit().catch(() => undefined)
      redis.disconnect()
    },
  }
}

interface Absence {
  isAway: () => boolean
  begin: (cause: unknown) => void
  stop: () => void
}

/** Probes Redis from the beginning of an absence until it answers. */
function watchAbsence(redis: Redis, log: Log, onEnd: () => void): Absence {
  let probing: NodeJS.Timeout | undefined
  let isStopped = false
  const end = (): void => {
    probing = undefined
    log.info('redis is back')
    onEnd()
  }
  const probe = (): void => {
    if (isStopped) return
    probing = setTimeout(() => void redis.ping().then(end, probe), probeMs).unref()
  }
  return {
    isAway: () => probing !== undefined,
    begin: (cause) => {
      if (probing !== undefined || isStopped) return
      log.warn({ err: cause }, 'redis is away, limits and repeats are judged locally')
      probe()
    },
    stop: () => {
      isStopped = true
      clearTimeout(probing)
    },
  }
}
