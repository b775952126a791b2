/** A venue's answer to a request that it did not carry out. */
export interface VenueRefusal {
  code: number
  text: string
}

/** What the refusals of one of Binance's markets mean; the same number may mean another thing on another market. */
export interface Codes {
  /** True when the refusal leaves open whether the order was taken. */
  leavesOpen: (refusal: VenueRefusal) => boolean
  /** Our code and a sentence for a refusal, the venue's own words included. */
  meaningOf: (refusal: VenueRefusal) => { code: string; error: string }
}

/** The order does not exist (any more, or yet). */
export const orderAbsent = -2013

// On every market: -1000 unknown, -1001 disconnected, -1006 unexpected response, -1007 timeout: the venue itself does
// not know whether the order was taken.
const openEverywhere: readonly number[] = [-1000, -1001, -1006, -1007]

const sharedMeanings: Record<number, string> = {
  [-1003]: 'E603',
  [-1008]: 'E603',
  [-1015]: 'E603',
  [-1121]: 'E401',
  [-2014]: 'E406',
  [-2015]: 'E406',
  [-1022]: 'E406',
}

const futuresMeanings: Record<number, string> = {
  ...sharedMeanings,
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

/**
 * Binance USDⓈ-M ("Error Codes" of the derivatives documentation). A code that is not here is E601 with the venue's own
 * text. -4116 says that an order with this id is open: an earlier attempt lives.
 */
export const futuresCodes: Codes = {
  leavesOpen: ({ code }) => openEverywhere.includes(code) || code === -4116,
  meaningOf: (refusal) => meaning(refusal, futuresMeanings[refusal.code]),
}

/** Spot says what it means in words where futures have a number each ("Error codes" of the spot documentation). */
const spotTexts: readonly (readonly [text: string, code: string])[] = [
  ['insufficient balance', 'E506'],
  ['would immediately match', 'E509'],
  ['Market is closed', 'E402'],
  ['LOT_SIZE', 'E502'],
  ['NOTIONAL', 'E504'],
  ['PERCENT_PRICE', 'E508'],
  ['PRICE_FILTER', 'E508'],
  ['MAX_NUM', 'E513'],
]

/** Binance spot. "Duplicate order sent." says that an order with this id is open: an earlier attempt lives. */
export const spotCodes: Codes = {
  leavesOpen: ({ code, text }) =>
    openEverywhere.includes(code) || (code === -2010 && text.startsWith('Duplicate order')),
  meaningOf: (refusal) =>
    meaning(
      refusal,
      sharedMeanings[refusal.code] ?? spotTexts.find(([text]) => refusal.text.includes(text))?.[1],
    ),
}

function meaning({ code, text }: VenueRefusal, known: string | undefined): { code: string; error: string } {
  return { code: known ?? 'E601', error: `The exchange refused: ${text} (${code})` }
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
