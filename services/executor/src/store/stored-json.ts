import type { Bus } from '@tripline/kit/bus'
import type { z } from 'zod'

/** Undefined for what this version cannot read: it concerns its user alone, and keeps nobody else from being served. */
export function readStoredJson<Value>(
  bus: Pick<Bus, 'log'>,
  schema: z.ZodType<Value>,
  key: string,
  text: string,
): Value | undefined {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ cause: error instanceof Error ? error.name : 'unknown', key }, 'not readable, left out')
    return undefined
  }
}
