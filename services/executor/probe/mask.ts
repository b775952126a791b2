import { createHash, randomBytes } from 'node:crypto'

/** Hides in the text of an answer what reports an account; fields, words and notations stay. */
export type Mask = (text: string) => string

const field = /"([^"\\]+)"(\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g
const address = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g

/** Fields that say who somebody is. */
const owner =
  /^(uid|userId|userID|accountId|accountAlias|parentUid|inviterID|affiliateID|listenKey|apiKey|subscriptionId|uuid|traceId|tradeGroupId|id)$/
/** Ids that the exchange gives, and names that others than the probe gave. */
const identity =
  /^(orderId|orderID|origOrderId|algoId|actualOrderId|orderListId|tradeId|execId|seq|blockTradeId|ocoTriggerBy|lastUpdateId|i|t|I|ai|aid|u|g|v)$/
const names =
  /^(clientOrderId|origClientOrderId|clientAlgoId|newClientOrderId|listClientOrderId|orderLinkId|parentOrderLinkId|c|C|caid)$/
/** An account's amounts. */
const possession =
  /balance|equity|pnl|profit|available|withdraw|collateral|totalInitialMargin|totalMaintMargin|IM$|MM$|IMByMp$|MMByMp$|^(free|locked|wb|cw|bc|borrowAmount|accruedInterest|bonus)$/i
/** Words in an answer or event that reports balances; all amounts of such are hidden. */
const ofBalances = /"(?:outboundAccountPosition|walletBalance|balances|wb)"/
const amount = /^-?(?:\d+\.\d+|\d{1,11})$/

/** A mask that hides a key and its secret wherever they stand, and keeps alike what is alike. */
export function createMask(secrets: readonly string[], prefix: string): Mask {
  const salt = randomBytes(16)
  const alias = (text: string): string => createHash('sha256').update(salt).update(text).digest('hex')
  const maskValue = (name: string, value: string, isBalance: boolean): string => {
    const isText = value.startsWith('"')
    const inner = isText ? value.slice(1, -1) : value
    const quote = (masked: string): string => (isText ? `"${masked}"` : masked)
    if (inner === '' || inner === '0' || /^-?1$/.test(inner)) return value
    if (names.test(name) && isText)
      return inner.startsWith(prefix) || inner === prefix || /^\d{1,2}$/.test(inner)
        ? value
        : quote(aliasOf(inner, alias))
    if (identity.test(name) || owner.test(name)) return quote(aliasOf(inner, alias))
    if (possession.test(name) || (isBalance && isText && amount.test(inner))) return quote(amountLike(inner))
    return value
  }
  return (text) => {
    const isBalance = ofBalances.test(text)
    const masked = text.replace(
      field,
      (_whole, name: string, colon: string, value: string) =>
        `"${name}"${colon}${maskValue(name, value, isBalance)}`,
    )
    return secrets
      .reduce((left, secret) => left.replaceAll(secret, 'masked'), masked)
      .replace(address, '0.0.0.0')
  }
}

/** An id of the same length and kind of characters: digits keep the first two, so that long ones stay as long. */
function aliasOf(id: string, alias: (text: string) => string): string {
  const source = alias(id)
  const isNumber = /^-?\d+$/.test(id)
  const isPlain = !/[a-zA-Z0-9]/.test(id)
  if (isPlain || /^[A-Z][a-z]+$/.test(id)) return id
  let at = 0
  return id.replace(/[a-zA-Z0-9]/g, (character, offset: number) => {
    if (isNumber && offset < 2) return character
    const code = source.charCodeAt(at++ % source.length)
    if (/\d/.test(character)) return `${code % 10}`
    const first = /[a-z]/.test(character) ? 97 : 65
    return String.fromCharCode(first + (code % (/[a-f]/i.test(character) ? 6 : 26)))
  })
}

/** An amount written as long as the one it hides. */
function amountLike(amount: string): string {
  return /^-?[\d.]+$/.test(amount) ? amount.replace(/[1-9]/g, '1') : amount
}
