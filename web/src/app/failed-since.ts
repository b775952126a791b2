/** Returns the number of these executions that were received after an instant. */
export function failedSince(executions: readonly { created_at: string }[], sinceMs: number): number {
  return executions.filter(({ created_at }) => new Date(created_at).getTime() > sinceMs).length
}
