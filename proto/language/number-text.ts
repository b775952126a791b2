/** A number without its sign, as it is written: digits with at most one point, and an exponent. */
export const numberPattern = '(\\d+(?:\\.\\d*)?|\\.\\d+)(?:e([+-]?\\d{1,3}))?'

// No market has more digits, and what comes after works through each of them.
const digitLimit = 60

/** The number as plain decimal text, with every digit; undefined where it has more digits than any market. */
export function plainNumber(digits: string, exponent: string | undefined): string | undefined {
  if (exponent === undefined && isPlain(digits)) return digits
  const [whole = '', fraction = ''] = digits.split('.')
  if (whole.length + fraction.length > digitLimit) return undefined
  const plain = exponent === undefined ? joined(whole, fraction) : shifted(whole, fraction, Number(exponent))
  return plain.length > digitLimit + 2 ? undefined : plain
}

// Most numbers are plain already: no zero too many before them, and something on both sides of the point.
function isPlain(digits: string): boolean {
  const point = digits.indexOf('.')
  const whole = point < 0 ? digits.length : point
  const isTrimmed = whole === 1 || (whole > 1 && digits.charAt(0) !== '0')
  return isTrimmed && digits.length <= digitLimit && point !== digits.length - 1
}

/** The number times a power of ten. */
export function shiftPoint(plain: string, places: number): string {
  const [whole = '', fraction = ''] = plain.split('.')
  return shifted(whole, fraction, places)
}

/** Whether the plain number is zero. */
export function isZeroText(plain: string): boolean {
  return !/[1-9]/.test(plain)
}

/** Whether two plain numbers are equal, whatever zeros end them. */
export function isSameNumber(a: string, b: string): boolean {
  return canonical(a) === canonical(b)
}

/** Whether the one plain number is not greater than the other. */
export function isAtMost(a: string, b: string): boolean {
  const [wholeA = '', fractionA = ''] = canonical(a).split('.')
  const [wholeB = '', fractionB = ''] = canonical(b).split('.')
  if (wholeA.length !== wholeB.length) return wholeA.length < wholeB.length
  // Of the same length, texts of digits are in the order of their numbers.
  return wholeA === wholeB ? fractionA <= fractionB : wholeA < wholeB
}

/** The plain number times a whole one, rounded to a whole one, halves up. */
export function timesWhole(plain: string, factor: number): number {
  const [whole = '', fraction = ''] = plain.split('.')
  const scale = 10n ** BigInt(fraction.length)
  const product = BigInt(whole + fraction) * BigInt(factor)
  return Number((2n * product + scale) / (2n * scale))
}

function shifted(whole: string, fraction: string, places: number): string {
  if (isZeroText(whole + fraction)) return '0'
  if (places >= 0) {
    const padded = fraction.padEnd(places, '0')
    return joined(whole + padded.slice(0, places), padded.slice(places))
  }
  const padded = whole.padStart(-places, '0')
  return joined(padded.slice(0, padded.length + places), padded.slice(padded.length + places) + fraction)
}

function joined(whole: string, fraction: string): string {
  const stripped = whole.replace(/^0+(?=\d)/, '') || '0'
  return fraction === '' ? stripped : `${stripped}.${fraction}`
}

function canonical(plain: string): string {
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
}
