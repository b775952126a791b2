/** The statuses of executions. */
export const overallStatuses = ['success', 'partial', 'failed', 'running'] as const
