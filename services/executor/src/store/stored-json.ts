import type { Bus } from '@tripline/kit/bus/bus'
import type { z } from 'zod'

/** Undefined for what this version cannot read: it concerns its user alone, and prevents no other user from being served. */
export function readStoredJson<Value>(
  bus: Pick<Bus, 'log'>,
  schema: z.ZodType<Value>,
  key: string,
  text: string,
): Value | undefined {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    return leaveOut(bus, key, error)
  }
}

/** The same of what is parsed already. */
export function readStoredValue<Value>(
  bus: Pick<Bus, 'log'>,
  schema: z.ZodType<Value>,
  key: string,
  value: unknown,
): Value | undefined {
  const { data, error } = schema.safeParse(value)
  return error === undefined ? data : leaveOut(bus, key, error)
}

function leaveOut({ log }: Pick<Bus, 'log'>, key: string, error: unknown): undefined {
  log.error({ cause: error instanceof Error ? error.name : 'unknown', key }, 'not readable, left out')
}
