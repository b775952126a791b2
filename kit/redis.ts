import { Redis } from 'ioredis'
import type { Log } from './telemetry/log.ts'

export type { Redis } from 'ioredis'

/**
 * A Redis connection whose keys all begin with the prefix. It reconnects without end; a command that meets a lost
 * connection fails at once, and one that is not answered in time fails then, so that no request waits for Redis.
 * Commands of the names in `sentAtOnce` are written to the connection by the time the call returns, the others at the
 * end of the turn of the event loop.
 */
export function openRedis(
  url: string,
  prefix: string,
  log: Log,
  { patienceMs = 250, sentAtOnce = [] }: { patienceMs?: number; sentAtOnce?: readonly string[] } = {},
): Redis {
  const redis = new Redis(url, {
    keyPrefix: prefix,
    enableOfflineQueue: false,
    // Commands of one turn go out in one write, behind what else that turn sends: an alert goes first.
    enableAutoPipelining: true,
    autoPipeliningIgnoredCommands: [...sentAtOnce],
    maxRetriesPerRequest: 0,
    commandTimeout: patienceMs,
    // All commands are answered by then; a connection that is lost already would hold the process up for so long.
    disconnectTimeout: 100,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
  })
  redis.on('error', (error: Error) => log.warn({ err: error }, 'redis connection'))
  return redis
}
