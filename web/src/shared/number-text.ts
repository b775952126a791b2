const decimal = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * Decimal text as people read it: thousands apart, and rounded half up to so many places, or without zeros at its end. Text
 * that is no decimal stays as it is. Nothing is ever a float: `0.1 + 0.2` is not asked.
 */
export function numberText(text: string, places?: number): string {
  const [, sign, whole = '', fraction = ''] = decimal.exec(text) ?? []
  if (sign === undefined) return text
  const [units, parts] =
    places === undefined
      ? [BigInt(whole).toString(), withoutZeros(fraction)]
      : rounded(whole, fraction, places)
  const number = `${units.replace(/\B(?=(\d{3})+$)/g, ',')}${parts === '' ? '' : `.${parts}`}`
  return sign === '' || /^[0.,]*$/.test(number) ? number : `-${number}`
}

// An id of an exchange has more digits, a label or a symbol has letters beside them, and a value in a message an equals sign.
const largeNumber = /(?<![\w.,=-])\d{4,9}(?:\.\d+)?(?![\w-]|[.,]\d)/g

// As fine as exchanges print money.
const mostPlaces = 8
const longNumber = /(?<![\w.,=-])\d+\.\d{9,}(?![\w-])/g

const dollars: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC', 'FDUSD', 'USDE', 'DAI'])
const centsOfMore = /^-?0*[1-9]\d*\.\d*[1-9]/
const dollarAmount = /(?<![\w.,=-])(\d+\.\d{3,}) ([A-Z]{3,5})\b/g

/** A sentence with the thousands of its numbers apart, its dollars to the cent, and no number finer than money is. */
export function numbersInText(text: string): string {
  return text
    .replaceAll(dollarAmount, (part, amount, coin) => (dollars.has(coin) ? coinText(amount, coin) : part))
    .replaceAll(longNumber, (number) => roundedText(number, mostPlaces))
    .replaceAll(largeNumber, (number) => numberText(number))
}

// A price has no more digits that count at any exchange; a mean of fills is calculated to more.
const priceDigits = 8

/** A price, or a mean of prices, to as many digits as prices have, and to two places where it has them. */
export function priceText(price: string): string {
  const [, , whole = '', fraction = ''] = decimal.exec(price) ?? []
  const units = whole.replace(/^0+/, '')
  const zeros = units === '' ? fraction.length - fraction.replace(/^0+/, '').length : -units.length
  return roundedText(price, Math.max(2, priceDigits + zeros))
}

/** Returns an amount of a coin as people read it: dollars to the cent from one up, other coins in full. */
export function coinAmountText(amount: string, coin: string): string {
  return numberText(amount, dollars.has(coin) && centsOfMore.test(amount) ? 2 : undefined)
}

/** An amount with its coin. */
export function coinText(amount: string, coin: string): string {
  return `${coinAmountText(amount, coin)} ${coin}`
}

/** A change as people read it: with its sign, also where it is above zero. */
export function changeText(text: string, places: number): string {
  const number = numberText(text, places)
  return number.startsWith('-') || /^[0.,]*$/.test(number) ? number : `+${number}`
}

/** Rounded to so many places at most, without zeros at its end. */
function roundedText(text: string, places: number): string {
  return numberText(numberText(text, places).replaceAll(',', ''))
}

function withoutZeros(fraction: string): string {
  return fraction.replace(/0+$/, '')
}

function rounded(whole: string, fraction: string, places: number): [units: string, parts: string] {
  const cut = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  const digits = (cut + ((fraction[places] ?? '0') >= '5' ? 1n : 0n)).toString().padStart(places + 1, '0')
  return [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
}
