import { createHash } from 'node:crypto'
import type { Redis } from '@tripline/kit/redis'

/** Runs on Redis as one step, on one key. */
export type RedisScript = (redis: Redis, key: string, ...values: (string | number)[]) => Promise<unknown>

/** A Lua script, sent once in full and by its hash afterwards. */
export function redisScript(lua: string): RedisScript {
  const sha = createHash('sha1').update(lua).digest('hex')
  return async (redis, key, ...values) => {
    try {
      return await redis.evalsha(sha, 1, key, ...values)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return await redis.eval(lua, 1, key, ...values)
    }
  }
}
