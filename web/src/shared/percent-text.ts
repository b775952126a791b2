// The error of a share as a float is far behind these.
const certainPlaces = 6

/** A share of one in percent with one decimal, rounded; 100 means all of them, and 0 none. */
export function percentText(share: number): string {
  const tenths = Math.round(Number((share * 1000).toFixed(certainPlaces)))
  if (share < 1 && tenths === 1000) return '99.9'
  return share > 0 && tenths === 0 ? '0.1' : String(tenths / 10)
}
