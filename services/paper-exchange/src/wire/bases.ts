/** The venue families and the first part of the paths that belong to each. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  '/binance-futures': ['fapi', 'sapi'],
  '/binance': ['sapi'],
}

/** The path without the base of its venue, or undefined where no venue is served there. The root serves them all. */
export function venuePath(path: string): string | undefined {
  const [, first = '', second = ''] = path.split('/', 3)
  const families = FAMILIES[`/${first}`]
  if (families) return families.includes(second) ? path.slice(first.length + 1) : undefined
  return Object.values(FAMILIES).some((names) => names.includes(first)) ? path : undefined
}
