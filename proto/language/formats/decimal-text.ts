/** The product of two plain numbers, with every digit. */
export function times(a: string, b: string): string {
  const [left, right] = [split(a), split(b)]
  return joined(left.digits * right.digits, left.places + right.places)
}

/** Returns the rest of a hundred; undefined if that is less than nothing. */
export function leftOfHundred(plain: string): string | undefined {
  const { digits, places } = split(plain)
  const left = 100n * 10n ** BigInt(places) - digits
  return left < 0n ? undefined : joined(left, places)
}

function split(plain: string): { digits: bigint; places: number } {
  const [whole = '', fraction = ''] = plain.split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length }
}

function joined(digits: bigint, places: number): string {
  const text = digits.toString().padStart(places + 1, '0')
  const whole = text.slice(0, text.length - places)
  const fraction = text.slice(text.length - places).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
