/** A 32-byte key with the id by which it is found for what it has locked. */
export interface NamedKey {
  id: string
  raw: Buffer
}

// No dot in the id: it stands between dots in what the key locks.
const keyForm = /^([\w-]+):([\w-]+)$/

/** The keys of a setting, `<id>:<32 bytes in base64url>` each, separated by commas or lines. */
export function readNamedKeys(text: string): NamedKey[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, id, encoded] = keyForm.exec(part) ?? []
      const raw = Buffer.from(encoded ?? '', 'base64url')
      if (id === undefined || raw.length !== 32)
        throw new Error('A key is not of the form <id>:<32 bytes in base64url>')
      return { id, raw }
    })
}
