/** Whose session an access token belongs to; undefined where it does not say. */
export function tokenSubject(token: string | null): string | undefined {
  const claims = /^[^.]+\.([\w-]+)\./.exec(token ?? '')?.[1]
  if (claims === undefined) return undefined
  try {
    return /"sub":"([^"]+)"/.exec(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))?.[1]
  } catch {
    return undefined
  }
}
