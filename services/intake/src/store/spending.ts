import { expiringMap } from '@tripline/kit/time/expiring-map'
import {
  type Cost,
  type Excess,
  excessOf,
  isNearBy,
  nothingSpent,
  type Quotas,
  type Spending,
  shareOf,
  spentAt,
  storedBytes,
  withCost,
} from '../domain/quota.ts'
import type { PatientRedis } from './patient-redis.ts'
import { redisScript, runScript, type ScriptCall } from './redis-script.ts'

// Adds to what was spent in this minute and this day; a replica whose clock is behind adds to the later one.
const add = redisScript(`
local held = redis.call('HMGET', KEYS[1], 'minute', 'bytes', 'commands', 'day', 'stored')
local minute, day = tonumber(ARGV[1]), tonumber(ARGV[2])
local bytes, commands, stored = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if held[1] and tonumber(held[1]) >= minute then
  minute, bytes, commands = tonumber(held[1]), bytes + tonumber(held[2]), commands + tonumber(held[3])
end
if held[4] and tonumber(held[4]) >= day then
  day, stored = tonumber(held[4]), stored + tonumber(held[5])
end
redis.call('HSET', KEYS[1], 'minute', minute, 'bytes', bytes, 'commands', commands, 'day', day, 'stored', stored)
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return {minute, bytes, commands, day, stored}
`)

const retentionMs = 2 * 86_400_000
const localKeys = 20_000
const free: Cost = { bytes: 0, commands: 0, orders: 0 }

/** Counts what each user stores in a minute and in a day. */
export interface UserSpending {
  /** Takes the cost where so large a share of no quota is exceeded by it, else returns which one is. */
  take: (key: string, cost: Cost, now: number, share?: number) => Promise<Excess | undefined>
}

/**
 * Spending under this name, counted in Redis for all replicas, and in this process alone while Redis is away. As long
 * as less than half of each quota is used, by all that is known here, nobody waits for Redis: it is written afterwards.
 * Once a day's bytes are nearly spent, by the count of Redis, one replica calls back once.
 */
export function openSpending(
  redis: PatientRedis,
  name: string,
  quotas: Quotas,
  onNear: (key: string, day: number) => void = () => undefined,
): UserSpending {
  const local = expiringMap<Spending>(retentionMs, localKeys)
  const half = shareOf(quotas, 0.5)
  const callOf = (key: string, cost: Cost, now: number): ScriptCall => {
    const { minute, day } = nothingSpent(now)
    const values = [minute, day, cost.bytes, cost.commands, storedBytes(cost), retentionMs]
    return { script: add, key: `${name}:${key}`, values }
  }
  const note = (key: string, cost: Cost, now: number, reply: unknown): void => {
    if (!Array.isArray(reply)) return
    const counted = spendingOf(reply)
    local.set(key, further(counted, local.get(key, now)), now)
    if (isNearBy(cost, counted, quotas)) onNear(key, counted.day)
  }
  return {
    take: async (key, cost, now, share = 1) => {
      const known = local.get(key, now)
      const isRoomy =
        known !== undefined && excessOf(withCost(spentAt(known, now), cost), half, now) === undefined
      if (!isRoomy) {
        redis.afterwards.doAll()
        const reply = await redis.ask(
          async (connection) => await runScript(connection, callOf(key, free, now)),
        )
        note(key, free, now, reply)
      }
      const spent = withCost(spentAt(local.get(key, now) ?? nothingSpent(now), now), cost)
      const excess = excessOf(spent, shareOf(quotas, share), now)
      if (excess !== undefined) return excess
      local.set(key, spent, now)
      redis.afterwards.add(callOf(key, cost, now), (reply) => note(key, cost, now, reply))
      return undefined
    },
  }
}

// Redis does not have the last cost of this process yet, or was away meanwhile.
function further(counted: Spending, known: Spending | undefined): Spending {
  if (known === undefined) return counted
  const ofMinute = known.minute === counted.minute ? known : { bytes: 0, commands: 0 }
  return {
    ...counted,
    bytes: Math.max(counted.bytes, ofMinute.bytes),
    commands: Math.max(counted.commands, ofMinute.commands),
    storedBytes: Math.max(counted.storedBytes, known.day === counted.day ? known.storedBytes : 0),
  }
}

function spendingOf(reply: readonly unknown[]): Spending {
  const [minute = 0, bytes = 0, commands = 0, day = 0, stored = 0] = reply.map(Number)
  return { minute, bytes, commands, day, storedBytes: stored }
}
