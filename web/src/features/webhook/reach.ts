/** Why the charting platform could not call an address, or undefined where it can. */
export function unreachableBecause(webhookUrl: string): 'local' | 'port' | undefined {
  const { hostname, port } = new URL(webhookUrl)
  if (hostname === 'localhost' || hostname.endsWith('.local') || hostname.startsWith('127.')) return 'local'
  return ['', '80', '443'].includes(port) ? undefined : 'port'
}
