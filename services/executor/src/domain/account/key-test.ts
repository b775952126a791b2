import type { KeyCheck, KeyCheckId, KeyTest } from '@tripline/proto/key-test'

/** Why an exchange does not take a key. */
export type KeyFault =
  | 'malformed'
  | 'unknown_key'
  | 'wrong_secret'
  | 'wrong_passphrase'
  | 'other_network'
  | 'address'
  | 'permission'
  | 'expired'
  | 'clock'
  /** The exchange has one answer for a key it does not know and for an address that the key does not allow. */
  | 'unknown_key_or_address'
  | 'other'

/** An exchange's statement on a key that it took; undefined where it makes none. */
export interface KeyRights {
  mayTrade: boolean | undefined
  mayWithdraw: boolean | undefined
  isBoundToAddresses: boolean | undefined
  /** A setting of the account that keeps it from trading this market. */
  unfit?: Wording | undefined
}

/** The findings of asking the exchange. */
export interface KeyFindings {
  /** The name of the exchange. */
  venue: string
  /** The bot's market there. */
  market: 'futures' | 'spot'
  network: 'mainnet' | 'testnet' | 'paper'
  /** By how much the exchange's clock is at least ahead of ours; undefined where the exchange cannot be reached. */
  clockOffsetMs: number | undefined
  /** Undefined where the exchange gave no answer about it. */
  key: { isAccepted: true; rights: KeyRights } | { isAccepted: false; fault: KeyFault } | undefined
}

// Exchanges refuse what is more than a second ahead of them, and what is older than the receive window.
const tolerableOffsetMs = 1000

/** Returns the ms by which a reported clock is ahead of ours; what the transit of the answer explains is not counted. */
export function clockOffset(reportedMs: number, askedAt: number, answeredAt: number): number {
  if (reportedMs < askedAt) return reportedMs - askedAt
  return reportedMs > answeredAt ? reportedMs - answeredAt : 0
}

interface Wording {
  message: string
  fix: string
}

/** The outcome of a key test, from what was found; `addresses` are ours, as people enter them at the exchange. */
export function judgeKey(findings: KeyFindings, addresses: string | undefined): KeyTest {
  const checks = [...checkReach(findings), ...checkKey(findings, addresses)]
  const failed = checks.find(({ id, ok }) => ok === false && essential.has(id))
  if (failed === undefined) return { success: true, message: successOf(checks), error: null, checks }
  return { success: false, message: 'The API key does not work yet', error: failed.message, checks }
}

/** Whether an exchange takes a key for what its bot does; unknown where it did not answer, or refused for another reason. */
export type KeyVerdict = { outcome: 'taken' | 'unknown' } | { outcome: 'refused'; problem: string }

/** The verdict on a key, from what was found; `addresses` are ours, as people enter them at the exchange. */
export function stateBy(findings: KeyFindings, addresses: string | undefined): KeyVerdict {
  const { key } = findings
  if (key === undefined) return { outcome: 'unknown' }
  if (!key.isAccepted && passing.has(key.fault)) return { outcome: 'unknown' }
  const failed = checkKey(findings, addresses).find(({ id, ok }) => ok === false && essential.has(id))
  if (failed === undefined) return { outcome: 'taken' }
  return { outcome: 'refused', problem: `${failed.message}. ${failed.fix}. ${again}` }
}

const again = 'It is tried again every few minutes'

/** Faults that say nothing of the key. */
const passing: ReadonlySet<KeyFault> = new Set<KeyFault>(['clock', 'other'])

const essential: ReadonlySet<KeyCheckId> = new Set(['venue_reached', 'key_accepted', 'may_trade'])

function successOf(checks: readonly KeyCheck[]): string {
  const warnings = checks.filter(({ ok }) => ok === false).map(({ message }) => message)
  const works = 'API key is valid and working'
  return [works, ...warnings].join('. ')
}

function checkReach({ venue, clockOffsetMs }: KeyFindings): KeyCheck[] {
  if (clockOffsetMs === undefined) {
    const fix =
      'Try again in a minute: the exchange may be down for a moment, or may not be reachable from here'
    return [bad('venue_reached', { message: `${venue} cannot be reached`, fix })]
  }
  const apart = clockOffsetMs < 0 ? -clockOffsetMs : clockOffsetMs
  const message = `The clocks differ by ${apart} ms`
  const fix = "Our server's clock has to be set right: please tell us"
  return [
    good('venue_reached', `${venue} answers`),
    apart <= tolerableOffsetMs ? good('clock_offset', message) : bad('clock_offset', { message, fix }),
  ]
}

function checkKey(findings: KeyFindings, addresses: string | undefined): KeyCheck[] {
  const { key, venue, clockOffsetMs } = findings
  if (clockOffsetMs === undefined) return []
  if (key === undefined) {
    const fix = 'Try again in a minute'
    return [bad('key_accepted', { message: `${venue} gave no answer about the key`, fix })]
  }
  if (!key.isAccepted) return refusedChecks(findings, key.fault, addresses)
  return [
    good('key_accepted', `${venue} takes the key`),
    checkTrading(findings, key.rights),
    checkWithdrawal(findings, key.rights),
    checkAddresses(findings, key.rights, addresses),
  ]
}

/** A key whose rights do not reach is a key that the exchange knows. */
function refusedChecks(findings: KeyFindings, fault: KeyFault, addresses: string | undefined): KeyCheck[] {
  const { message, fix } = faultWording(findings, fault, addresses)
  if (fault !== 'permission') return [bad('key_accepted', { message, fix })]
  return [good('key_accepted', `${findings.venue} knows the key`), bad('may_trade', { message, fix })]
}

function faultWording(
  { venue, network, market }: KeyFindings,
  fault: KeyFault,
  addresses: string | undefined,
): Wording {
  const [here, there] = network === 'testnet' ? ['testnet', 'mainnet'] : ['mainnet', 'testnet']
  const again = 'Delete it here and add it again with the key and secret as the exchange shows them'
  const allowed = `${ours(addresses)} at ${venue}, or take the restriction away`
  switch (fault) {
    case 'malformed':
      return { message: 'This does not look like a key of this exchange', fix: again }
    case 'unknown_key':
      return { message: `${venue} does not know this key: it was deleted or mistyped`, fix: again }
    case 'wrong_secret':
      return { message: 'The API secret does not belong to this key', fix: again }
    case 'wrong_passphrase':
      return { message: 'The passphrase does not belong to this key', fix: again }
    case 'other_network':
      return {
        message: `This is a key of the ${there}, and the bot is set to the ${here}`,
        fix: `Delete it here and add it again with the testnet switch ${there === 'testnet' ? 'on' : 'off'}`,
      }
    case 'address':
      return { message: "This key's IP allowlist doesn't include our address", fix: `Allow ${allowed}` }
    case 'permission':
      return {
        message: `The key may not trade ${market}`,
        fix: `Give the key the permission to trade ${market} at ${venue}`,
      }
    case 'expired':
      return { message: 'The key has expired', fix: `Make a new key at ${venue} and add it here` }
    case 'clock':
      return {
        message: 'The exchange rejected our timestamp',
        fix: 'Try again; if it keeps happening, contact us',
      }
    case 'unknown_key_or_address':
      return {
        message: `${venue} does not take the key: it was deleted or mistyped, or does not allow our address`,
        fix: `See whether the key still exists at ${venue}. If it is restricted to addresses, allow ${allowed}`,
      }
    case 'other':
      return { message: `${venue} refuses the key`, fix: again }
  }
}

function checkTrading({ market, venue }: KeyFindings, { mayTrade, unfit }: KeyRights): KeyCheck {
  if (unfit !== undefined && mayTrade !== false) return bad('may_trade', unfit)
  if (mayTrade === undefined)
    return notReported('may_trade', "The exchange doesn't report whether the key may trade")
  if (mayTrade) return good('may_trade', `The key may trade ${market}`)
  const fix = `Give the key the permission to trade ${market} at ${venue}`
  return bad('may_trade', { message: `The key may not trade ${market}`, fix })
}

function checkWithdrawal({ network, venue }: KeyFindings, { mayWithdraw }: KeyRights): KeyCheck {
  if (network !== 'mainnet') return good('withdrawal', 'Not applicable without real money')
  if (mayWithdraw === undefined) {
    return notReported('withdrawal', "The exchange doesn't report withdrawal permission")
  }
  if (!mayWithdraw) return good('withdrawal', 'The key may not withdraw')
  const fix = `Take the permission to withdraw away at ${venue}: we never need it, and whoever stole the key would`
  return bad('withdrawal', { message: 'The key may withdraw', fix })
}

function checkAddresses(
  { network, venue }: KeyFindings,
  { isBoundToAddresses }: KeyRights,
  addresses: string | undefined,
): KeyCheck {
  if (network !== 'mainnet') return good('ip_restriction', 'Not needed without real money')
  if (isBoundToAddresses === undefined) {
    return notReported(
      'ip_restriction',
      "The exchange doesn't report whether the key is restricted to addresses",
    )
  }
  if (isBoundToAddresses) return good('ip_restriction', 'The key is restricted to addresses, ours among them')
  const fix = `Restrict the key at ${venue} to ${ours(addresses)}, so that nobody else can use it`
  return bad('ip_restriction', { message: 'The key works from any address', fix })
}

function ours(addresses: string | undefined): string {
  return addresses === undefined ? 'the address of this server' : addresses
}

function good(id: KeyCheckId, message: string): KeyCheck {
  return { id, ok: true, message, fix: null }
}

function bad(id: KeyCheckId, { message, fix }: Wording): KeyCheck {
  return { id, ok: false, message, fix }
}

function notReported(id: KeyCheckId, message: string): KeyCheck {
  return { id, ok: null, message, fix: null }
}
