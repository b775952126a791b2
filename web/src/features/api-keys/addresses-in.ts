/** The addresses that a text names, to be copied into the form of an exchange. */
export function addressesIn(text: string): string[] {
  return text.match(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g) ?? []
}
