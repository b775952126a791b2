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

// The function behind a schema, which costs a fraction of asking the schema.
const readers = new WeakMap<z.ZodType, (value: unknown) => unknown>()

/**
 * Returns a schema of what a function reads in a value; if it returns undefined the value cannot be read. Quicker than
 * a union of types.
 */
function read<Value>(as: string, from: (value: unknown) => Value | undefined) {
  const schema = z.transform((value: unknown, context): Value => {
    const held = from(value)
    if (held !== undefined) return held
    context.issues.push({ code: 'custom', message: `no ${as}`, input: value })
    return z.NEVER
  })
  readers.set(schema, from)
  return schema
}

/** A text, or a number in its place. */
export const Text = read('text', textOf)

/**
 * A decimal as text, also where it comes as a number or in another notation. Zeros at its end are taken away, since an
 * event and an answer write the same number with more of them or fewer.
 */
export const Decimal = read('decimal', (value) => {
  const text = textOf(value)
  return text === undefined ? undefined : decimalOf(text)
})

/** A whole number, also where it comes as text. */
export const Whole = read('whole number', (value) => {
  const isDigits = typeof value === 'string' && /^-?\d{1,16}$/.test(value)
  const whole = isDigits ? Number(value) : value
  return Number.isSafeInteger(whole) ? (whole as number) : undefined
})

const flags = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
])

/** A truth, also where it comes as text or as 0 and 1. */
export const Flag = read('truth', (value) => flags.get(value))

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined
}

function decimalOf(text: string): string | undefined {
  try {
    return plain(text)
  } catch {
    return undefined
  }
}

/** A field that nothing is decided on: without it, or where it cannot be read, it is the fallback; the latter is noted. */
export function spare<Schema extends z.ZodType, Fallback>(field: string, schema: Schema, fallback: Fallback) {
  const from = readers.get(schema) ?? ((value: unknown): unknown => schema.safeParse(value).data)
  return z.transform((value: unknown): z.output<Schema> | Fallback => {
    if (value === undefined || value === null || value === '') return fallback
    const held = from(value)
    if (held !== undefined) return held as z.output<Schema>
    passedOver?.push({ field, value })
    return fallback
  })
}

/** A text that is one of a list; any other one is noted, and stays what it is. */
export function wordOf(field: string, known: ReadonlySet<string>) {
  return read('text', (value) => {
    const text = textOf(value)
    if (text !== undefined && !known.has(text)) passedOver?.push({ field, value: text })
    return text
  })
}
