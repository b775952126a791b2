import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { BusUrl } from './bus/bus-address.ts'

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

/** Whether the text is an IP address, or a range of them in the form `10.0.0.0/8`. */
function isAddressRange(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  )
}

/** A list of IP addresses and ranges, separated by commas. */
export const AddressList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every(isAddressRange), 'is not a list of IP addresses and ranges')

/**
 * The proxies in front that are believed about the caller's address: so many of them, if nobody else reaches the port,
 * or their addresses, if others do.
 */
export const TrustedProxies = z
  .union(
    [z.string().regex(/^\d$/).transform(Number), AddressList],
    'is neither a number up to 9 nor a list of addresses',
  )
  .default(0)
export type TrustedProxies = z.infer<typeof TrustedProxies>

/** Settings that every service has. */
export const commonSettings = {
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  TRIPLINE_MODE: z.enum(['local', 'production']).default('production'),
  HOST: z.string().default('127.0.0.1'),
  PORT: Port.default(0),
}

/** Settings of a service that others balance over several processes. */
export const doorSettings = {
  /**
   * The time for which it goes on, ready no more, after the signal to end: until then load balancers have not noticed.
   */
  END_NOTICE_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  /** The most connections that one address may have open, trusted proxies aside, and the most requests, whatever is in front. */
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(1000),
  /** The most connections that all together may have open. */
  CONNECTIONS: z.coerce.number().int().min(1).default(10_000),
}

/** Settings of every service that is on the bus; the seed (an nkey) is absent only on a server without users. */
export const busSettings = {
  NATS_URL: BusUrl,
  NATS_NKEY_SEED: z.string().optional(),
}
