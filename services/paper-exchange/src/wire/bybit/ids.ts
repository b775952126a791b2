/** The kinds of thing that have an id of their own; the same number of two kinds looks different. */
export type IdKind = 'order' | 'fill'

const SEEDS = { order: 0x5bd1e995, fill: 0x27d4eb2f } as const
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
// Spot ids have nineteen digits on the venue and grow in steps.
const FIRST_DIGITS = { order: 1_700_000_000_000_000_000n, fill: 2_290_000_000_000_000_000n } as const
const STEP = 256n
const DIGITS = /^[0-9]{19}$/

/** The UUID under which a linear order or fill is known. */
export function uuidOf(kind: IdKind, id: number): string {
  const seed = SEEDS[kind]
  const [first, second] = [mix(id, seed), mix(id, seed ^ 0x9e3779b9)]
  const a = hex(first, 8)
  const b = hex(second >>> 16, 4)
  const c = `4${hex(second & 0xfff, 3)}`
  const d = hex((first & 0x3fff) | 0x8000, 4)
  return `${a}-${b}-${c}-${d}-${id.toString(16).padStart(12, '0')}`
}

/** The id behind a UUID, or undefined where it was never given out. */
export function idOfUuid(kind: IdKind, text: string): number | undefined {
  if (!UUID.test(text)) return undefined
  const id = Number.parseInt(text.slice(24), 16)
  return uuidOf(kind, id) === text ? id : undefined
}

/** The digits under which a spot order or fill is known. */
export function digitsOf(kind: IdKind, id: number): string {
  return (FIRST_DIGITS[kind] + BigInt(id) * STEP).toString()
}

/** The id behind the digits, or undefined where they were never given out. */
export function idOfDigits(kind: IdKind, text: string): number | undefined {
  if (!DIGITS.test(text)) return undefined
  const offset = BigInt(text) - FIRST_DIGITS[kind]
  return offset > 0n && offset % STEP === 0n ? Number(offset / STEP) : undefined
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0')
}

// Spreads an id over 32 bits so that neighbours look nothing alike.
function mix(id: number, seed: number): number {
  let state = (Math.trunc(id / 0x1_0000_0000) ^ (id | 0) ^ seed) | 0
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
