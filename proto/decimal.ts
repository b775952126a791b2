import Big from 'big.js'
import { z } from 'zod'

/** An amount, price or ratio as decimal text, such as `0.010`. */
export const DecimalText = z.string().regex(/^-?\d+(\.\d+)?$/)

// Divisions are only ever floored to a venue's step afterwards, so 30 places are exact for all of them.
Big.DP = 30
Big.NE = -40
Big.PE = 40

// The usual notations, of which only zeros at the end are to be taken away: much quicker than to calculate.
const digits = /^(-?[1-9]\d*(?:\.\d*[1-9])?|0(?:\.\d*[1-9])?)(?:\.?0*)$/

export const add = (a: string, b: string): string => Big(a).plus(b).toFixed()
export const subtract = (a: string, b: string): string => Big(a).minus(b).toFixed()
export const multiply = (a: string, b: string): string => Big(a).times(b).toFixed()
export const divide = (a: string, b: string): string => Big(a).div(b).toFixed()
export const absolute = (a: string): string => Big(a).abs().toFixed()
/** The same amount without zeros at its end, as people read it; throws for what is no amount. */
export const plain = (a: string): string => digits.exec(a)?.[1] ?? Big(a).toFixed()
export const isZero = (a: string): boolean => Big(a).eq(0)
export const isNegative = (a: string): boolean => Big(a).lt(0)
export const isLess = (a: string, b: string): boolean => Big(a).lt(b)
export const isGreater = (a: string, b: string): boolean => Big(a).gt(b)
export const negate = (a: string): string => Big(a).neg().toFixed()
export const notBelowZero = (a: string): string => (Big(a).lt(0) ? '0' : a)
export const least = (a: string, b: string): string => (Big(a).lte(b) ? a : b)

/** The value rounded down (toward zero) to a multiple of the step, printed with the step's decimals. */
export function floorToStep(value: string, step: string): string {
  return toStep(value, step, Big.roundDown)
}

/** The value rounded up (away from zero) to a multiple of the step, printed with the step's decimals. */
export function ceilToStep(value: string, step: string): string {
  return toStep(value, step, Big.roundUp)
}

/** The value rounded to the nearest multiple of the step, halves up, printed with the step's decimals. */
export function nearestToStep(value: string, step: string): string {
  return toStep(value, step, Big.roundHalfUp)
}

/** Returns the number of decimals of a step: 3 for `0.001`, also for `0.00100`. */
function decimalsOf(step: string): number {
  const fraction = Big(step).toFixed().split('.')[1]
  return fraction?.length ?? 0
}

function toStep(value: string, step: string, rounding: 0 | 1 | 2 | 3): string {
  return Big(value).div(step).round(0, rounding).times(step).toFixed(decimalsOf(step))
}
