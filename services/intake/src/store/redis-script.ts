import { createHash } from 'node:crypto'
import type { Redis } from '@tripline/kit/redis'

/** A Lua script that runs as one step on one key. */
export interface RedisScript {
  /** Its text, with the key in `KEYS[1]` and values in `ARGV`. */
  lua: string
  sha: string
}

/** A script with its key and values. */
export interface ScriptCall {
  script: RedisScript
  key: string
  values: readonly (string | number)[]
}

/** Returns the script of a text. */
export function redisScript(lua: string): RedisScript {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/** Runs a script, which is sent in full once and by its hash from then on; returns its reply. */
export async function runScript(redis: Redis, { script, key, values }: ScriptCall): Promise<unknown> {
  return await evaluate(redis, script, [key], values)
}

/** Runs scripts in their order as one command, which costs little more than a single one; returns their replies. */
export async function runScripts(redis: Redis, calls: readonly ScriptCall[]): Promise<readonly unknown[]> {
  const scripts = [...new Set(calls.map(({ script }) => script))].toSorted((one, other) =>
    one.sha < other.sha ? -1 : 1,
  )
  const places = new Map(scripts.map((script, index) => [script, index + 1]))
  const plan = calls.map(({ script, values }) => [places.get(script), ...values.map(String)])
  const keys = calls.map(({ key }) => key)
  return (await evaluate(redis, together(scripts), keys, [JSON.stringify(plan)])) as unknown[]
}

const combinations = new Map<string, RedisScript>()

/** Returns a script that runs these, as a plan of their numbers and values says. */
function together(scripts: readonly RedisScript[]): RedisScript {
  const name = scripts.map(({ sha }) => sha).join()
  const known = combinations.get(name)
  if (known !== undefined) return known
  const functions = scripts.map(({ lua }) => `function(KEYS, ARGV) ${lua} end`)
  const made = redisScript(`
local scripts, replies = { ${functions.join(',\n')} }, {}
for place, values in ipairs(cjson.decode(ARGV[1])) do
  local script = scripts[table.remove(values, 1)]
  replies[place] = script({ KEYS[place] }, values) or false
end
return replies
`)
  combinations.set(name, made)
  return made
}

async function evaluate(
  redis: Redis,
  { sha, lua }: RedisScript,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...values)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return await redis.eval(lua, keys.length, ...keys, ...values)
  }
}
