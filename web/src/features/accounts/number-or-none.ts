import { numberText, priceText } from '../../shared/number-text.ts'

/** A number as people read it; a dash where the exchange does not say. */
export function numberOrNone(text: string | null, places?: number): string {
  return text === null ? '–' : numberText(text, places)
}

/** A mean of prices as people read it; a dash where the exchange does not say. */
export function priceOrNone(text: string | null): string {
  return text === null ? '–' : priceText(text)
}
