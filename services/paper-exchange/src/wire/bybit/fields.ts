import { parseFixed } from '../../domain/fixed.ts'
import { readParams } from '../params.ts'
import { type BybitError, paramsError } from './errors.ts'

/** The fields of a request, by name: texts from a query, any JSON from a body. */
export type Fields = Readonly<Record<string, unknown>>

const WHOLE = /^[0-9]{1,15}$/

/** Returns the fields of the query. */
export function fieldsOfQuery(query: string): Fields {
  return Object.fromEntries(readParams(query, '').params)
}

/** Returns the fields of the body: undefined if it is no JSON object. */
export function fieldsOfBody(body: string): Fields | undefined {
  try {
    return asFields(JSON.parse(Buffer.from(body, 'latin1').toString('utf8')))
  } catch {
    return undefined
  }
}

/** The value as fields where it is an object. */
export function asFields(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text, undefined where it is absent or empty. The venue takes a number for it, and nothing else. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw paramsError(name)
}

/** A text that must be there. */
export function requiredIn(fields: Fields, name: string): string {
  const text = textIn(fields, name)
  if (text === undefined) throw paramsError(name)
  return text
}

/** One of the texts the venue knows under that name, undefined where it is absent. */
export function choiceIn<Choice extends string>(
  fields: Fields,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = textIn(fields, name)
  if (text === undefined) return undefined
  const known = choices.find((choice) => choice === text)
  if (known === undefined) throw paramsError(name)
  return known
}

/** A whole number, undefined where it is absent. */
export function wholeIn(fields: Fields, name: string): number | undefined {
  const text = textIn(fields, name)
  if (text === undefined) return undefined
  if (!WHOLE.test(text)) throw paramsError(name)
  return Number(text)
}

/** A yes or no, no where it is absent. */
export function flagIn(fields: Fields, name: string): boolean {
  const value = fields[name]
  if (typeof value === 'boolean') return value
  const text = textIn(fields, name)
  if (text === undefined || text === 'false' || text === '0') return false
  if (text !== 'true' && text !== '1') throw paramsError(name)
  return true
}

/** A count of rows between one and the most the venue gives at once. */
export function limitIn(fields: Fields, most: number, usual: number): number {
  const limit = wholeIn(fields, 'limit') ?? usual
  if (limit < 1) throw paramsError('limit')
  return Math.min(limit, most)
}

const PLAIN = /^[0-9]{1,20}(\.[0-9]{1,20})?$/

/** A decimal as a count of 10^-scale; `onTooFine` says what the venue finds where it has more places. */
export function decimalIn(text: string, scale: number, wrong: BybitError, tooFine: BybitError): bigint {
  if (!PLAIN.test(text)) throw wrong
  const amount = parseFixed(text, scale)
  if (amount === undefined) throw tooFine
  return amount
}
