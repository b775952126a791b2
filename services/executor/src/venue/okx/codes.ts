import type { KeyFault } from '../../domain/account/key-test.ts'
import type { CcxtCodes } from '../ccxt/dialect.ts'
import { meaningsOf, type VenueRefusal } from '../http/refusal.ts'

/** OKX's verdicts on a key ("Error Code, REST API" of its v5 documentation, 2026-06, as all codes here). */
export const keyFaults: ReadonlyMap<number, KeyFault> = new Map([
  [50101, 'other_network'],
  [50105, 'wrong_passphrase'],
  [50110, 'address'],
  [50111, 'unknown_key'],
  [50113, 'wrong_secret'],
  [50119, 'unknown_key'],
  [50120, 'permission'],
  [50121, 'address'],
])

const busy = [50011, 50040, 50061, 51113]
const oneOf =
  (...codes: readonly number[]) =>
  ({ code }: Pick<VenueRefusal, 'code'>): boolean =>
    codes.includes(code)
const isLost = oneOf(50001, 50004, 50013, 50026, 51054, 51149, 51410)
// Among living orders alone.
const saysThere = oneOf(50071, 51016, 51065, 51068)
// 50037: `expTime` was over.
export const blamesClock = oneOf(50036, 50037, 50102, 50112)

const meanings = meaningsOf({
  E310: [51186, 59102, 59105],
  E401: [51001],
  E402: [51021, 51022, 51027, 51028, 51029, 51030, 51087, 51124, 51196, 51197],
  E404: [50038, 51010],
  E405: [59000, 59101, 59107, 59112, 59668, 59669, 59670],
  E406: [...keyFaults.keys(), 50007, 50012, 50027, 50028, 50029, 50030, 50100, 50114, 51009, 51024, 51155],
  E501: [51121, 51150],
  E502: [50122, 51007, 51020, 51120],
  E503: [
    51004, 51005, 51033, 51101, 51104, 51105, 51106, 51107, 51108, 51129, 51185, 51187, 51201, 51202, 51203,
    51252, 51275,
  ],
  E504: [51118],
  E506: [51008, 51119, 51127, 51131, 59103, 59108, 59109],
  E507: [
    51046, 51047, 51048, 51049, 51050, 51051, 51052, 51053, 51277, 51278, 51279, 51280, 51300, 51302, 51303,
    51304, 51305, 51306, 51307, 51308,
  ],
  E508: [51006, 51031, 51116, 51122, 51135, 51136, 51137, 51138, 51250],
  E510: [51023, 51058, 51112, 51148, 51169, 51170, 51205, 51206],
  E513: [51025, 51102, 51103, 51117, 51174, 51261, 51299],
  E603: busy,
})

/** Our code and a sentence for a refusal. 51000 names a parameter; two of them are of the account's modes. */
export function meaningOf({ code, text }: VenueRefusal): { code: string; error: string } {
  const isOfMode = code === 51000 && /posSide|tdMode/.test(text)
  return {
    code: isOfMode ? 'E405' : (meanings.get(code) ?? 'E601'),
    error: `The exchange refused: ${text} (${code})`,
  }
}

/** Without a code of OKX the outcome is open. */
export const okxCodes: CcxtCodes = {
  leavesOpen: (refusal) =>
    refusal.status >= 500 || refusal.code < 50_000 || isLost(refusal) || saysThere(refusal),
  saysThere,
  // 51412, 51416: it was triggered.
  isAbsent: oneOf(51063, 51400, 51401, 51402, 51405, 51412, 51416, 51503, 51603),
  isBusy: oneOf(...busy),
  ...{ blamesClock, keyFaults, meaningOf },
}
