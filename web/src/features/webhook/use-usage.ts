import { useGetWebhookUsageQuery } from '../../shared/client.ts'

const everyMs = 5000

/** Returns the use of the limit, asked again while the screen is looked at. */
export function useUsage() {
  return useGetWebhookUsageQuery(undefined, { pollingInterval: everyMs, skipPollingIfUnfocused: true })
}
