import { createPrivateKey } from 'node:crypto'

/** A fault of credentials that no exchange can take, and what to do about it; the text holds nothing of them. */
export interface CredentialProblem {
  field: 'api_key' | 'api_secret' | 'api_passphrase'
  message: string
}

/** Returns why these credentials can sign nothing; undefined if only the exchange can know. */
export function credentialProblem(
  { apiKey, secret, passphrase }: { apiKey: string; secret: string; passphrase?: string | undefined },
  takesPrivateKeys: boolean,
): CredentialProblem | undefined {
  if (!isPrintable(apiKey)) return problem('api_key', 'The API key has characters that no key has')
  if (passphrase !== undefined && !isPrintable(passphrase))
    return problem('api_passphrase', 'The passphrase has characters that none has')
  if (!secret.includes('PRIVATE KEY')) {
    return isPrintable(secret)
      ? undefined
      : problem('api_secret', 'The API secret has characters that none has')
  }
  if (!takesPrivateKeys) {
    return problem('api_secret', 'Private keys do not work here, a key with a secret (HMAC) does')
  }
  return isRsa(secret)
    ? undefined
    : problem('api_secret', 'The private key cannot be read as an RSA key in PEM form')
}

function problem(field: CredentialProblem['field'], fault: string): CredentialProblem {
  return { field, message: `${fault}: copy it from the exchange once more, and link the key again` }
}

/** True for text that fits into a header. */
function isPrintable(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

function isRsa(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
