/** Whether the version in a text such as `nats-server: v2.15.1` reaches the floor. */
export function isVersionAtLeast(text: string, floor: readonly number[]): boolean {
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number)
  if (!found) return false
  for (const [index, least] of floor.entries()) {
    const part = found[index] ?? 0
    if (part !== least) return part > least
  }
  return true
}
