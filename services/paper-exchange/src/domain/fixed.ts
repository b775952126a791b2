const DECIMAL = /^\d{1,20}(?:\.\d{1,20})?$/

/** Decimal text as a whole count of 10^-scale, or undefined where it is no plain decimal or finer than the scale. */
export function parseFixed(text: string, scale: number): bigint | undefined {
  if (!DECIMAL.test(text)) return undefined
  const dot = text.indexOf('.')
  const whole = dot < 0 ? text : text.slice(0, dot)
  const fraction = dot < 0 ? '' : text.slice(dot + 1)
  if (/[1-9]/.test(fraction.slice(scale))) return undefined
  return BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'))
}

/** The same, for text this repository wrote: a fault where it cannot be read. */
export function fixed(text: string, scale: number): bigint {
  const value = parseFixed(text, scale)
  if (value === undefined) throw new Error(`"${text}" is not a decimal of at most ${scale} places`)
  return value
}

/** The count of 10^-scale as decimal text with exactly that many places. */
export function formatFixed(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const sign = value < 0n ? '-' : ''
  if (scale === 0) return sign + digits
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The count of 10^-scale as decimal text without zeros at its end, but at least the given places. */
export function formatTrimmed(value: bigint, scale: number, places = 0): string {
  const [whole = '0', fraction = ''] = formatFixed(value, scale).split('.')
  const digits = fraction.replace(/0+$/, '').padEnd(places, '0')
  return digits === '' ? whole : `${whole}.${digits}`
}

/** Ten to the power of the scale. */
export function power(scale: number): bigint {
  return 10n ** BigInt(scale)
}

/** The quotient rounded to the nearest whole, halves away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = divisor < 0n ? -divisor / 2n : divisor / 2n
  return (dividend < 0n ? dividend - half : dividend + half) / divisor
}

/** The value without its sign. */
export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

/** The smaller of two values. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The larger of two values. */
export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
