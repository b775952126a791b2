/** Returns the user of an access token; undefined if it names none. */
export function tokenSubject(token: string | null): string | undefined {
  const claims = /^[^.]+\.([\w-]+)\./.exec(token ?? '')?.[1]
  if (claims === undefined) return undefined
  try {
    return /"sub":"([^"]+)"/.exec(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))?.[1]
  } catch {
    return undefined
  }
}
