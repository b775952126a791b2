/** Settings of a query for a state that may be changed in another tab or on another device. */
export const askedWhileSeen = {
  pollingInterval: 10_000,
  skipPollingIfUnfocused: true,
  refetchOnFocus: true,
  refetchOnReconnect: true,
} as const
