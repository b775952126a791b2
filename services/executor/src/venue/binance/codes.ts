import type { DiagnosticCode } from '@tripline/proto/error-code'
import type { KeyFault } from '../../domain/account/key-test.ts'
import type { Codes, VenueRefusal } from '../http/refusal.ts'

/** The order does not exist (any more, or yet). */
export const orderAbsent = -2013
/** The order ended without a fill so long ago that the venue shows it no more (spot). */
export const orderArchived = -2026
/** There is no such order to cancel. */
export const nothingToCancel = -2011
/**
 * The request came at another moment than it was signed for, by the venue's clock: it was refused at its door, or on
 * futures by the matching engine.
 */
export const clockDiffers: readonly number[] = [-1021, -5028]
/** The account holds its positions another way than the order says. */
export const positionSideDiffers = -4061
/** The setting is so already. */
export const alreadySo: readonly number[] = [-4046, -4059]

/**
 * The venue's verdicts on the key itself, for any request ("Error codes" of the spot and of the derivatives
 * documentation). -2015 has several causes, and one order may meet it that another would not.
 */
export const keyFaults: ReadonlyMap<number, KeyFault> = new Map([
  [-1022, 'wrong_secret'],
  [-2008, 'unknown_key'],
  [-2014, 'malformed'],
  [-2015, 'unknown_key_or_address'],
])

// -1000 unknown, -1001 disconnected, -1006 unexpected response, -1007 timeout: the venue itself does not know whether
// the order was taken.
const openEverywhere: readonly number[] = [-1000, -1001, -1006, -1007]
// Overloaded: on futures the one answer with a status of a broken server that says that nothing was done. On spot it
// promises nothing.
const overloaded = -1008

/** Statuses that the venue's door answers with, before anything behind it sees the request. */
const turnedAway: readonly number[] = [403, 418, 429]

const sharedCodes: Pick<Codes, 'blamesClock' | 'keyFaults'> = {
  blamesClock: ({ code }) => clockDiffers.includes(code),
  keyFaults,
}

type Meanings = Readonly<Record<number, DiagnosticCode>>

const sharedMeanings: Meanings = {
  [-1002]: 'E406',
  [-1003]: 'E603',
  [-1008]: 'E603',
  [-1015]: 'E603',
  [-1016]: 'E603',
  [-1022]: 'E406',
  [-1034]: 'E603',
  [-1121]: 'E401',
  [-2014]: 'E406',
  [-2015]: 'E406',
}

const futuresMeanings: Meanings = {
  ...sharedMeanings,
  [-2018]: 'E506',
  [-2019]: 'E506',
  [-2021]: 'E507',
  [-2022]: 'E510',
  [-2025]: 'E513',
  [-2027]: 'E503',
  [-2028]: 'E506',
  [-4001]: 'E508',
  [-4002]: 'E508',
  [-4003]: 'E501',
  [-4004]: 'E502',
  [-4005]: 'E503',
  [-4006]: 'E508',
  [-4013]: 'E508',
  [-4014]: 'E508',
  [-4016]: 'E508',
  [-4023]: 'E502',
  [-4024]: 'E508',
  [-4028]: 'E310',
  [-4045]: 'E513',
  // Open orders, or a position, are in the way of another margin mode.
  [-4047]: 'E405',
  [-4048]: 'E405',
  [positionSideDiffers]: 'E405',
  [-4062]: 'E405',
  [-4067]: 'E405',
  [-4068]: 'E405',
  [-4087]: 'E406',
  [-4088]: 'E406',
  // The symbol is under the control of risks: it may be reduced, or only sold, or only bought.
  [-4105]: 'E402',
  [-4106]: 'E402',
  [-4107]: 'E402',
  [-4108]: 'E402',
  [-4109]: 'E406',
  [-4112]: 'E510',
  [-4118]: 'E510',
  [-4120]: 'E404',
  [-4130]: 'E513',
  [-4131]: 'E508',
  [-4140]: 'E402',
  [-4141]: 'E402',
  [-4142]: 'E507',
  [-4161]: 'E310',
  [-4164]: 'E504',
  // Isolated margin does not go with multi-assets mode.
  [-4168]: 'E405',
  [-4183]: 'E508',
  [-4184]: 'E508',
  [-4189]: 'E406',
  // The account may not trade for a time that it chose itself.
  [-4192]: 'E406',
  // The most of an account that is new, not verified, of a region, or of a symbol.
  [-4202]: 'E310',
  [-4203]: 'E310',
  [-4205]: 'E310',
  [-4206]: 'E310',
  [-4208]: 'E310',
  [-4209]: 'E310',
  [-4210]: 'E508',
  [-4211]: 'E508',
  // For now it may only reduce what it holds, since it broke the rules on how to send orders.
  [-4400]: 'E603',
  // The limits of its region, or of its verification.
  [-4401]: 'E406',
  [-4402]: 'E406',
  [-4403]: 'E310',
  // It may only reduce under the rules of its region (answer of the venue in a test of tiagosiebler/binance, 2026-06).
  [-4408]: 'E406',
  // Portfolio margin requires the same position mode of both kinds of futures.
  [-4531]: 'E405',
  [-5022]: 'E509',
  [-5028]: 'E603',
}

/**
 * Binance USDⓈ-M ("Error Codes" of the derivatives documentation). A code that is not here is E601 with the venue's own
 * text. -4116 says that an order with this id is open: an earlier attempt lives; -4117 that a stop is being triggered.
 */
export const futuresCodes: Codes = {
  ...sharedCodes,
  leavesOpen: (refusal) => refusal.code !== overloaded && (isOpenAnywhere(refusal) || isOrderThere(refusal)),
  saysThere: isOrderThere,
  meaningOf: (refusal) => meaning(refusal, futuresMeanings[refusal.code]),
}

function isOrderThere({ code }: VenueRefusal): boolean {
  return code === -4116 || code === -4117
}

function isDuplicate({ code, text }: VenueRefusal): boolean {
  return code === -2010 && text.startsWith('Duplicate order')
}

const spotMeanings: Meanings = {
  ...sharedMeanings,
  [-1158]: 'E404',
  [-1165]: 'E511',
  [-1166]: 'E511',
  [-1168]: 'E511',
  [-1196]: 'E511',
  [-1197]: 'E511',
  [-1198]: 'E511',
  [-1199]: 'E511',
}

/**
 * Spot says what it means in words where futures have a number each ("Error codes" of the spot documentation). The
 * first text that is part of the answer counts.
 */
const spotTexts: readonly (readonly [text: string, code: DiagnosticCode])[] = [
  ['insufficient balance', 'E506'],
  ['would immediately match', 'E509'],
  ['trigger immediately', 'E507'],
  ['relationship of the prices', 'E511'],
  ['Market is closed', 'E402'],
  ['not enabled', 'E406'],
  ['not permitted', 'E406'],
  ['disabled on this account', 'E406'],
  ['restricted for this account', 'E406'],
  ['may not place', 'E406'],
  // Of a kind of order; once "not support", of market orders by value.
  ['not support', 'E404'],
  ['is zero or less', 'E501'],
  ['Invalid quantity', 'E501'],
  ['MARKET_LOT_SIZE', 'E503'],
  ['LOT_SIZE', 'E502'],
  ['NOTIONAL', 'E504'],
  ['PERCENT_PRICE', 'E508'],
  ['PRICE_FILTER', 'E508'],
  ['Invalid price', 'E508'],
  ['Invalid stopPrice', 'E508'],
  ['MAX_POSITION', 'E503'],
  ['MAX_NUM', 'E513'],
]

/** Binance spot. "Duplicate order sent." says that an order with this id is open: an earlier attempt lives. */
export const spotCodes: Codes = {
  ...sharedCodes,
  leavesOpen: (refusal) =>
    isOpenAnywhere(refusal) ||
    (refusal.code === overloaded && !isTurnedAway(refusal.status)) ||
    isDuplicate(refusal),
  saysThere: isDuplicate,
  meaningOf: (refusal) =>
    meaning(
      refusal,
      spotMeanings[refusal.code] ?? spotTexts.find(([text]) => refusal.text.includes(text))?.[1],
    ),
}

function isOpenAnywhere({ code, status }: VenueRefusal): boolean {
  if (isTurnedAway(status)) return false
  // Without a code of the venue's own nothing is known.
  return code === 0 || openEverywhere.includes(code) || status >= 500
}

function isTurnedAway(status: number): boolean {
  return turnedAway.includes(status)
}

function meaning(
  { code, text, status }: VenueRefusal,
  known: DiagnosticCode | undefined,
): { code: string; error: string } {
  const usual = isTurnedAway(status) ? 'E603' : 'E601'
  return { code: known ?? usual, error: `The exchange refused: ${text} (${code})` }
}
