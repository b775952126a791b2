/** The 32-bit FNV-1a hash of a text's UTF-16 units, unsigned; the same on every machine, for ever. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
