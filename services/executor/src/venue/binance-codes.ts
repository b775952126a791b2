/**
 * What a refusal of Binance USDⓈ-M means, by its numeric code (Binance derivatives documentation, "Error Codes", and
 * the order filters of exchangeInfo). A code that is not here is E601 with the venue's own text.
 */
const meanings: Record<number, string> = {
  [-1003]: 'E603',
  [-1008]: 'E603',
  [-1015]: 'E603',
  [-1121]: 'E401',
  [-2014]: 'E406',
  [-2015]: 'E406',
  [-1022]: 'E406',
  [-2018]: 'E506',
  [-2019]: 'E506',
  [-2022]: 'E510',
  [-4118]: 'E510',
  [-4003]: 'E501',
  [-4004]: 'E502',
  [-4005]: 'E503',
  [-4023]: 'E502',
  [-4061]: 'E405',
  [-4131]: 'E508',
  [-4164]: 'E504',
}

// -1000 unknown, -1001 disconnected, -1006 unexpected response, -1007 timeout: the venue itself does not know whether
// the order was taken. -4116 says that an order with this id is open: an earlier attempt lives.
const openOutcomes = new Set([-1000, -1001, -1006, -1007, -4116])

/** The order does not exist (any more, or yet). */
export const orderAbsent = -2013

/** A venue's answer to a request that it did not carry out. */
export interface VenueRefusal {
  code: number
  text: string
}

/** True when the code leaves open whether the order was taken. */
export function leavesOpen(refusal: VenueRefusal): boolean {
  return openOutcomes.has(refusal.code)
}

/** Our code and a sentence for a refusal, the venue's own words included. */
export function meaningOf(refusal: VenueRefusal): { code: string; error: string } {
  const code = meanings[refusal.code] ?? 'E601'
  return { code, error: `The exchange refused: ${refusal.text} (${refusal.code})` }
}

const refusalInMessage = /\{"code":\s*(-?\d+),\s*"msg":\s*"([^"]*)"/

/**
 * The venue's numeric code in a library error, if it carries one. Classes are no guide: the library derives them from
 * the host name, and its messages hold the venue's JSON either way.
 */
export function refusalIn(error: unknown): VenueRefusal | undefined {
  if (!(error instanceof Error)) return undefined
  const match = refusalInMessage.exec(error.message)
  return match === null ? undefined : { code: Number(match[1]), text: match[2] ?? '' }
}
