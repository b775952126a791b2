/** How an execution can stand. */
export const overallStatuses = ['success', 'partial', 'failed', 'running'] as const
