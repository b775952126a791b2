import { plain } from '@tripline/proto/decimal'
import { z } from 'zod'
import { noteDrift, type Source } from './drift.ts'
import { parseBody } from './parse-json.ts'

interface PassedOver {
  field: string
  value: unknown
}

// Filled by the schemas of the reading that is under way: all of it is done in one turn.
let passedOver: PassedOver[] | undefined

/**
 * Returns what a schema reads in a value. Fields that it passes over, and the one for which it fails, are noted as a drift
 * of the source; throws where it fails.
 */
export function readFrom<Schema extends z.ZodType>(
  source: Source,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const outer = passedOver
  const noted: PassedOver[] = []
  passedOver = noted
  try {
    const read = schema.safeParse(value)
    for (const { field, value: held } of noted) noteDrift(source, field, held, value)
    if (read.success) return read.data
    const path = read.error.issues[0]?.path ?? []
    const field = path.filter((name) => typeof name === 'string').join('.')
    noteDrift(source, field, valueAt(value, path), value)
    throw read.error
  } finally {
    passedOver = outer
  }
}

/** Returns what a schema reads in the JSON of a text; undefined where it cannot, which is noted as a drift of the source. */
export function readText<Schema extends z.ZodType>(
  source: Source,
  schema: Schema,
  text: string,
): z.output<Schema> | undefined {
  try {
    return readFrom(source, schema, parseBody(text))
  } catch {
    return undefined
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[name] : undefined,
    value,
  )
}

/** A text, or a number in its place. */
export const Text = z.union([z.string(), z.number().transform(String)])

/**
 * A decimal as text, also where it comes as a number or in another notation. Zeros at its end are taken away, since an
 * event and an answer write the same number with more of them or fewer.
 */
export const Decimal = z.union([z.string().min(1), z.number()]).transform(toDecimal)

function toDecimal(value: string | number, context: z.RefinementCtx): string {
  try {
    return plain(`${value}`)
  } catch {
    context.addIssue({ code: 'custom', message: 'no decimal' })
    return z.NEVER
  }
}

/** A whole number, also where it comes as text. */
export const Whole = z.union([
  z.number().int(),
  z
    .string()
    .regex(/^-?\d{1,16}$/)
    .transform(Number)
    .pipe(z.number().int()),
])

/** A truth, also where it comes as text or as 0 and 1. */
export const Flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1'),
  z.literal([0, 1]).transform((bit) => bit === 1),
])

/** A field that nothing is decided on: without it, or where it cannot be read, it is the fallback; the latter is noted. */
export function spare<Schema extends z.ZodType, Fallback>(field: string, schema: Schema, fallback: Fallback) {
  return z
    .unknown()
    .optional()
    .transform((value): z.output<Schema> | Fallback => {
      if (value === undefined || value === null || value === '') return fallback
      const read = schema.safeParse(value)
      if (read.success) return read.data
      passedOver?.push({ field, value })
      return fallback
    })
}

/** A text that is one of a list; any other one is noted, and stays what it is. */
export function wordOf(field: string, known: ReadonlySet<string>) {
  return Text.transform((text) => {
    if (!known.has(text)) passedOver?.push({ field, value: text })
    return text
  })
}
