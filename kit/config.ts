import { readFileSync } from 'node:fs'
import { z } from 'zod'

type Environment = Record<string, string | undefined>

/**
 * The settings of a process, read from its environment. `NAME_FILE` may hold the path of a file with the value of
 * `NAME`; an empty value counts as absent. Throws one error that names every fault and no value.
 */
export function loadConfig<Schema extends z.ZodObject>(schema: Schema, env: Environment): z.infer<Schema> {
  const values: Environment = {}
  const faults: string[] = []
  for (const name of Object.keys(schema.shape)) {
    try {
      values[name] = readSetting(name, env)
    } catch (error) {
      faults.push(`  ${name}_FILE: ${error instanceof Error ? error.message : 'cannot be read'}`)
    }
  }
  const parsed = schema.safeParse(values)
  if (parsed.success && faults.length === 0) return parsed.data
  for (const { path, message } of parsed.error?.issues ?? []) faults.push(`  ${path.join('.')}: ${message}`)
  throw new Error(`Settings are missing or wrong:\n${faults.join('\n')}`)
}

function readSetting(name: string, env: Environment): string | undefined {
  const direct = env[name]?.trim()
  if (direct) return direct
  const path = env[`${name}_FILE`]?.trim()
  return path ? readFileSync(path, 'utf8').trim() || undefined : undefined
}

/** A TCP port; 0 asks for a free one. */
const Port = z.coerce.number().int().min(0).max(65_535)

/** Settings that every service has. */
export const commonSettings = {
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  TRIPLINE_MODE: z.enum(['local', 'production']).default('production'),
  HOST: z.string().default('127.0.0.1'),
  PORT: Port.default(0),
}

/** Settings of every service that is on the bus; the seed (an nkey) is absent only on a server without users. */
export const busSettings = {
  NATS_URL: z.string().min(1),
  NATS_NKEY_SEED: z.string().optional(),
}
