/** True where a subject matches one of the patterns of a permission, as the server of the bus matches them. */
export function mayUse(patterns: readonly string[], subject: string): boolean {
  const words = subject.split('.')
  return patterns.some((pattern) => {
    const wanted = pattern.split('.')
    const isOpen = wanted.at(-1) === '>'
    if (isOpen ? words.length < wanted.length : words.length !== wanted.length) return false
    return wanted.every((word, index) => word === '>' || word === '*' || word === words[index])
  })
}
