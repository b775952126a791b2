// What a float of a share is off by is far behind these.
const certainPlaces = 6

/** A share of one in percent with one decimal, rounded down, so that 100 means all of them. */
export function percentText(share: number): string {
  const thousandths = Number((share * 1000).toFixed(certainPlaces))
  return String(Math.floor(thousandths) / 10)
}
