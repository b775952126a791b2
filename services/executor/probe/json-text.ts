import { DecimalText, isGreater, isZero, subtract } from '@tripline/proto/decimal'
import { parseBody, parseJson } from '../src/venue/read/parse-json.ts'

/** True where the text is JSON of which no number is rounded. */
export function noDigitLost(text: string): boolean {
  try {
    return JSON.stringify(parseJson(text)) === JSON.stringify(JSON.parse(text))
  } catch {
    return false
  }
}

/** The value of a JSON text, with long numbers as text; undefined where it is none. */
export const jsonOf = parseBody

/** The value at a path such as `result.list.0.orderId`. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => {
    return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined
  }, value)
}

/** The text, or the number as text, at a path; empty where there is none. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path)
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? `${found}`
    : ''
}

/** The decimal at a path; undefined where there is none. */
function decimalAt(value: unknown, path: string): string | undefined {
  return DecimalText.safeParse(textAt(value, path)).data
}

/** True where the decimal at a path is this one, however it is written; never where there is none. */
export function isAt(value: unknown, path: string, decimal: string): boolean {
  const found = decimalAt(value, path)
  return found !== undefined && isZero(subtract(found, decimal))
}

/** True where the decimal at a path is above zero; never where there is none. */
export function isAboveZeroAt(value: unknown, path: string): boolean {
  return isGreater(decimalAt(value, path) ?? '0', '0')
}

/** The rows of a list at a path; none where there is no list. */
export function rowsAt(value: unknown, path?: string): unknown[] {
  const found = path === undefined ? value : at(value, path)
  return Array.isArray(found) ? found : []
}
