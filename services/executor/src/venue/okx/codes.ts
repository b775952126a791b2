import type { KeyFault } from '../../domain/account/key-test.ts'
import type { Verdict } from '../ccxt/dialect.ts'
import type { VenueRefusal } from '../http/refusal.ts'

/** OKX's verdicts on a key ("Error Code, REST API" of its v5 documentation, 2026-06, as all codes here). */
export const keyFaults: ReadonlyMap<number, KeyFault> = new Map([
  [50101, 'other_network'],
  [50102, 'clock'],
  [50105, 'wrong_passphrase'],
  [50110, 'address'],
  [50111, 'unknown_key'],
  [50112, 'clock'],
  [50113, 'wrong_secret'],
  [50119, 'unknown_key'],
  [50120, 'permission'],
])

const verdicts: Readonly<Record<Verdict, readonly number[]>> = {
  open: [50001, 50004, 50013, 50026, 51054, 51149, 51410, 51412],
  // Among living orders alone.
  taken: [50071, 51016, 51065, 51068],
  absent: [51400, 51401, 51402, 51416, 51503, 51603],
  // 50037: `expTime` was over.
  clock: [50036, 50037, 50102, 50112],
  key: [50101, 50105, 50110, 50111, 50113, 50119, 50120],
  busy: [50011, 50040, 50061, 51113],
}

const meanings: Readonly<Record<string, readonly number[]>> = {
  E310: [51186, 59102, 59105],
  E401: [51001],
  E402: [51021, 51022, 51027, 51028, 51029, 51030, 51087, 51124, 51196, 51197],
  E404: [50038, 51010],
  E405: [59000, 59101, 59107, 59112, 59668, 59669, 59670],
  E406: [...verdicts.key, 50007, 50012, 50027, 50028, 50029, 50030, 50100, 50114, 51009, 51024, 51155],
  E501: [51121, 51150],
  E502: [51007, 51020, 51120],
  E503: [51004, 51005, 51033, 51101, 51105, 51106, 51107, 51129, 51185, 51201, 51202, 51203],
  E506: [51008, 51127, 51131, 59103, 59108, 59109],
  E507: [51046, 51047, 51048, 51049, 51050, 51051, 51052, 51053, 51277, 51278, 51279, 51280, 51302, 51304],
  E508: [51006, 51031, 51116, 51122, 51135, 51136, 51137, 51138, 51250],
  E510: [51023, 51058, 51112, 51148, 51169, 51170, 51205, 51206],
  E513: [51025, 51174, 51261, 51299],
  E603: verdicts.busy,
}

/** Returns what a refusal says; without a code of OKX the outcome is open. */
export function saysOf({ status, code }: VenueRefusal): ReadonlySet<Verdict> {
  const said = (Object.keys(verdicts) as Verdict[]).filter((verdict) => verdicts[verdict].includes(code))
  return new Set([...said, ...(status >= 500 || code < 50_000 ? (['open'] as const) : [])])
}

/** Our code and a sentence for a refusal. 51000 names a parameter; two of them are of the account's modes. */
export function meaningOf({ code, text }: VenueRefusal): { code: string; error: string } {
  const isOfMode = code === 51000 && /posSide|tdMode/.test(text)
  const known = Object.entries(meanings).find(([, codes]) => codes.includes(code))?.[0]
  return { code: isOfMode ? 'E405' : (known ?? 'E601'), error: `The exchange refused: ${text} (${code})` }
}
