import { paths } from '../../shared/paths.ts'

/** Returns the target after a login: the `redirect` of the query if it is a page of this app, else the first screen. */
export function redirectTarget(query: string, origin: string): string {
  const wanted = new URLSearchParams(query).get('redirect')
  const target = wanted?.startsWith('/') ? pathIn(origin, wanted) : undefined
  return target ?? paths.dashboard
}

// The browser's own reading decides: `//host`, `/\host` and hidden line breaks all lead to another origin.
function pathIn(origin: string, wanted: string): string | undefined {
  if (!URL.canParse(wanted, origin)) return undefined
  const { origin: reached, pathname, search, hash } = new URL(wanted, origin)
  if (reached !== origin || pathname.startsWith('//') || pathname === paths.login) return undefined
  return pathname + search + hash
}
