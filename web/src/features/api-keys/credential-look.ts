/** A suspected fault of a pair of credentials, before an exchange is asked. */
export type CredentialFault = 'swapped' | 'same'

// Bybit's generated keys and secrets differ in length; Binance's are 64 characters both.
const bybitLengths = { key: 18, secret: 36 }
const privateKey = /^-----BEGIN [A-Z ]*PRIVATE KEY-----/

/** Returns the suspected fault of these, by length and alphabet; undefined if there is none. */
export function credentialFault(exchange: string, key: string, secret: string): CredentialFault | undefined {
  const [one, other] = [key.trim(), secret.trim()]
  if (one === '' || other === '') return privateKey.test(one) ? 'swapped' : undefined
  if (one === other) return 'same'
  if (privateKey.test(one)) return 'swapped'
  const isBybitSwapped =
    exchange === 'bybit' && one.length === bybitLengths.secret && other.length === bybitLengths.key
  return isBybitSwapped ? 'swapped' : undefined
}
