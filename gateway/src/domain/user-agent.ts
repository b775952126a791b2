/** What a caller says it is, as it can be kept and shown: printable, and not too long. */
export function userAgentOf(header: string | undefined): string {
  return (header ?? '').replaceAll(/[^ -~]/g, '').slice(0, 200)
}
