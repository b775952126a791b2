import type { DiagnosticCode } from '@tripline/proto/error-code'
import type { KeyFault } from '../../domain/account/key-test.ts'
import { type Codes, type Meanings, meaningsOf, type VenueRefusal } from '../http/refusal.ts'

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

const sharedMeanings: Meanings = {
  E401: [-1121],
  E406: [-1002, -1022, -2014, -2015],
  E603: [-1003, -1008, -1015, -1016, -1034],
}

const futuresMeanings = meaningsOf(sharedMeanings, {
  // -4202 to -4210 and -4403: the most of an account that is new, not verified, of a region, or of a symbol.
  E310: [-4028, -4161, -4202, -4203, -4205, -4206, -4208, -4209, -4403],
  // -4105 to -4108: the symbol is under the control of risks: it may be reduced, or only sold, or only bought.
  E402: [-4105, -4106, -4107, -4108, -4140, -4141],
  E404: [-4120],
  // -4047, -4048: open orders, or a position, are in the way of another margin mode. -4168: isolated margin does not go
  // with multi-assets mode. -4531: portfolio margin requires the same position mode of both kinds of futures.
  E405: [-4047, -4048, positionSideDiffers, -4062, -4067, -4068, -4168, -4531],
  // -4192: the account may not trade for a time that it chose itself. -4401, -4402: the limits of its region, or of its
  // verification. -4408: it may only reduce under the rules of its region (answer of the venue in a test of
  // tiagosiebler/binance, 2026-06).
  E406: [-4087, -4088, -4109, -4189, -4192, -4401, -4402, -4408],
  E501: [-4003],
  E502: [-4004, -4023],
  E503: [-2027, -4005],
  E504: [-4164],
  E506: [-2018, -2019, -2028],
  E507: [-2021, -4142],
  E508: [-4001, -4002, -4006, -4013, -4014, -4016, -4024, -4131, -4183, -4184, -4210, -4211],
  E509: [-5022],
  E510: [-2022, -4112, -4118],
  E513: [-2025, -4045, -4130],
  // -4400: the account broke the rules on how to send orders, and may only reduce what it holds until that is lifted.
  E603: [-4400, -5028],
})

/**
 * Binance USDⓈ-M ("Error Codes" of the derivatives documentation). A code that is not here is E601 with the venue's own
 * text. -4116 says that an order with this id is open: an earlier attempt lives; -4117 that a stop is being triggered.
 */
export const futuresCodes: Codes = {
  ...sharedCodes,
  leavesOpen: (refusal) => refusal.code !== overloaded && (isOpenAnywhere(refusal) || isOrderThere(refusal)),
  saysThere: isOrderThere,
  meaningOf: (refusal) => meaning(refusal, futuresMeanings.get(refusal.code)),
}

function isOrderThere({ code }: VenueRefusal): boolean {
  return code === -4116 || code === -4117
}

function isDuplicate({ code, text }: VenueRefusal): boolean {
  return code === -2010 && text.startsWith('Duplicate order')
}

const spotMeanings = meaningsOf(sharedMeanings, {
  E404: [-1158],
  E511: [-1165, -1166, -1168, -1196, -1197, -1198, -1199],
})

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
      spotMeanings.get(refusal.code) ?? spotTexts.find(([text]) => refusal.text.includes(text))?.[1],
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
