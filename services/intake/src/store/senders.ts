import { expiringMap } from '@tripline/kit/time/expiring-map'
import type { PatientRedis } from './patient-redis.ts'
import { redisScript } from './redis-script.ts'

const keep = redisScript(`
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[3]))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
`)

const mostSenders = 10
const retentionMs = 30 * 86_400_000
// An address that calls all the time is written down only so often.
const againAfterMs = 10_000
const localKeys = 20_000

/** Which addresses called a webhook last. */
export interface Senders {
  /** Notes a call, later and without anybody waiting for it. */
  note: (tokenHash: string, address: string, at: number) => void
  /** The last ones with the moment of their last call, to some seconds, newest first; none while Redis is away. */
  list: (tokenHash: string) => Promise<{ address: string; seenAt: number }[]>
}

/** Senders noted in Redis, for all replicas. */
export function openSenders(redis: PatientRedis): Senders {
  const noted = expiringMap<true>(againAfterMs, localKeys)
  return {
    note: (tokenHash, address, at) => {
      const key = `${tokenHash}:${address}`
      if (noted.get(key, at)) return
      noted.set(key, true, at)
      const values = [Math.trunc(at), address, mostSenders, retentionMs]
      redis.afterwards.add({ script: keep, key: keyOf(tokenHash), values })
    },
    list: async (tokenHash) => {
      redis.afterwards.doAll()
      const last = mostSenders - 1
      const reply = await redis.ask(
        async (connection) => await connection.zrevrange(keyOf(tokenHash), 0, last, 'WITHSCORES'),
      )
      return inPairs(reply ?? []).map(([address, seenAt]) => ({ address, seenAt: Number(seenAt) }))
    },
  }
}

function keyOf(tokenHash: string): string {
  return `senders:${tokenHash}`
}

function inPairs(reply: readonly string[]): [string, string][] {
  return reply.flatMap((address, index) => (index % 2 === 0 ? [[address, reply[index + 1] ?? '0']] : []))
}
