/** Returns a caller's name of itself so that it can be stored and shown: printable, and not too long. */
export function userAgentOf(header: string | undefined): string {
  return (header ?? '').replaceAll(/[^ -~]/g, '').slice(0, 200)
}
