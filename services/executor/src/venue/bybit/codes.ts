import type { KeyFault } from '../../domain/account/key-test.ts'
import { type Codes, meaningsOf, type VenueRefusal } from '../http/refusal.ts'

/** Linear and spot say in their own numbers that an order is not there: never was, or has ended. */
const absences: ReadonlySet<number> = new Set([
  ...[110001, 110008, 110010],
  ...[170139, 170142, 170143, 170190, 170213],
])

/** The venue itself does not know whether the request was carried out, or goes on working at it. */
const openOutcomes: ReadonlySet<number> = new Set([
  ...[10000, 10014, 10016, 110079],
  ...[170001, 170007, 170032, 170035, 170144, 170146, 170147, 170191, 170212, 170234],
])

/** An order with this id was taken before: link ids are unique for ever, so an earlier attempt lives. */
const duplicates: ReadonlySet<number> = new Set([110030, 110072, 170141])

const unchanged: ReadonlySet<number> = new Set([34036, 34040, 110025, 110026, 110027, 110043])

/** The request came outside the receive window; it was not carried out. */
const clockRefusals: ReadonlySet<number> = new Set([-1, 10002])

/**
 * The venue's verdicts on the key itself, for any request (https://bybit-exchange.github.io/docs/v5/error). Bans,
 * regions and cooling-off periods are of the address or the account: they pass, and other keys meet them too.
 */
export const keyFaults: ReadonlyMap<number, KeyFault> = new Map([
  [10003, 'unknown_key'],
  [10004, 'wrong_secret'],
  [10005, 'permission'],
  [10010, 'address'],
  [33004, 'expired'],
])

const meanings = meaningsOf({
  E310: [110013, 110085, 110086],
  E401: [170121, 170221],
  E402: [
    ...[30228, 110023, 110042, 110063, 110066, 110074, 110103, 110118],
    ...[170151, 170157, 170159, 170209, 170217],
  ],
  E404: [110029, 110036, 110038, 100028, 170145, 170227],
  // Open positions or orders prevent a switch of the position mode, and other things prevent one of the margin mode.
  E405: [110024, 110028, 110073, 3400045],
  // 110123 to 110125 and 110132: terms that are not agreed to, a cooling-off period, a region.
  E406: [
    ...[-2015, 10003, 10004, 10005, 10007, 10008, 10009, 10010, 10024, 10027, 10028, 10029, 33004],
    ...[110123, 110124, 110125, 110132, 170201],
  ],
  E501: [170137, 170148],
  E502: [170136],
  E503: [
    ...[110016, 110021, 110090, 170124, 170135, 170197, 170198, 170199, 170200],
    ...[170228, 170229, 170341, 170381, 170382],
  ],
  E504: [110094, 170140],
  E506: [
    ...[110004, 110006, 110007, 110012, 110014, 110044, 110045, 110051, 110052, 110053],
    ...[170033, 170034, 170131, 170223, 170226],
  ],
  E507: [110092, 110093],
  E508: [
    ...[30208, 30209, 110003, 110120, 110121, 170132, 170133, 170134, 170192, 170193, 170194],
    ...[170203, 170204, 170206, 170371, 170372],
  ],
  E509: [170218],
  E510: [110017, 110034],
  E513: [110009, 110020, 110061, 170810, 170811, 170812, 170813],
  E603: [429, 10006, 10018, 10403, 10429, 20003, 170005, 170222],
})

/** 10001 and 170130 stand for many things, separated by their words. */
const texts: readonly (readonly [text: RegExp, code: string])[] = [
  [/position idx/i, 'E405'],
  [/minimum limit/i, 'E502'],
  [/maximum limit/i, 'E503'],
  [/qty invalid|contract.* decimal/i, 'E501'],
  [/leverage/i, 'E310'],
  [/symbol/i, 'E401'],
  [/triggerprice|trigger_price|: price/i, 'E508'],
]

const byStatus: Readonly<Record<number, string>> = { 401: 'E406', 403: 'E603', 429: 'E603' }

/** True when the refusal leaves open whether the request was, or will be, carried out. */
function leavesOpen({ status, code }: VenueRefusal): boolean {
  return status >= 500 || openOutcomes.has(code) || duplicates.has(code)
}

/** True when the refusal says that an order of this name is there, or was. */
function saysTaken({ code }: Pick<VenueRefusal, 'code'>): boolean {
  return duplicates.has(code)
}

/** True when the order that was asked for or to be canceled is not open. */
export function saysAbsent({ code }: VenueRefusal): boolean {
  return absences.has(code)
}

/** True when a setting was already what it was to become. */
export function saysUnchanged({ code }: VenueRefusal): boolean {
  return unchanged.has(code)
}

/** True when our clock and the venue's have drifted apart. */
export function blamesClock({ code }: Pick<VenueRefusal, 'code'>): boolean {
  return clockRefusals.has(code)
}

/**
 * The socket for orders is about to restart and did not take the request ("Error codes" of the v5 documentation): another
 * way may.
 */
export const socketRestarts = 10019

/** True when the address asked more often than the venue allows, so that it refuses everything from there for a while. */
export function bansAddress({ status, code }: VenueRefusal): boolean {
  return status === 403 || code === 10018
}

/** True when the account asked more often than the venue allows. */
export function slowsAccount({ code }: VenueRefusal): boolean {
  return code === 10006 || code === 170222
}

/** Our code and a sentence for a refusal, the venue's own words included; E601 for a code that we do not know. */
export function meaningOf(refusal: VenueRefusal): { code: string; error: string } {
  const { status, code, text } = refusal
  const known = meanings.get(code) ?? wordsMeaning(refusal) ?? byStatus[status] ?? 'E601'
  return { code: known, error: `The exchange refused: ${text} (${code === 0 ? `HTTP ${status}` : code})` }
}

function wordsMeaning({ code, text }: VenueRefusal): string | undefined {
  if (code !== 10001 && code !== 170130) return undefined
  return texts.find(([pattern]) => pattern.test(text))?.[1]
}

/** Why the matching engine ended an order that was taken, where a number would have said so elsewhere. */
export const endReasons: Readonly<Record<string, string>> = {
  EC_PostOnlyWillTakeLiquidity: 'E509',
  EC_ReachRiskPriceLimit: 'E508',
  EC_ReachMarketPriceLimit: 'E508',
  EC_QtyCannotBeZero: 'E501',
  EC_ReachMaxTradeNum: 'E513',
}

/** Bybit's refusals, of all its markets. */
export const bybitCodes: Codes = { leavesOpen, saysThere: saysTaken, blamesClock, keyFaults, meaningOf }
